import type { z } from 'zod'
import type { ServedEndpoint } from '#platform/contract/endpoint.ts'
import { reachOf } from '#platform/contract/reach.ts'
import type { mcp } from '../contract.ts'
import { call } from './call.ts'
import { dangerousCall } from './dangerous-call.ts'
import { describeOne, findEndpoints } from './endpoints.ts'
import { readFile, writeFile } from './files.ts'
import { overview } from './overview.ts'
import { read } from './read.ts'
import type { McpTool } from './tool.ts'
import { waitForJob } from './wait-for-job.ts'

export const TOOLS: readonly McpTool[] = [
  overview,
  findEndpoints,
  describeOne,
  read,
  call,
  dangerousCall,
  readFile,
  writeFile,
  waitForJob,
]

/** Tools that call one endpoint of their own, whatever they are asked. */
const FIXED: Record<string, readonly string[]> = {
  overview: ['overview', 'siteList'],
  find_endpoints: ['mcpTools'],
  describe_endpoint: ['mcpTools'],
  wait_for_job: ['jobGet'],
  read_file: ['fileRead'],
  write_file: ['fileRead', 'fileWrite'],
}

/** The tools, and which endpoints each can reach. */
export const listTools = (endpoints: readonly ServedEndpoint[]): z.input<typeof mcp.mcpTools.reply>['items'] =>
  TOOLS.map(({ name, title, description, reach }) => ({
    name,
    title,
    description,
    reach,
    endpoints:
      FIXED[name]?.slice() ?? endpoints.filter(({ endpoint }) => reachOf(endpoint) === reach).map(({ id }) => id),
  }))
