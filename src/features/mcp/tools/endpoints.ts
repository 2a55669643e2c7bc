import { z } from 'zod'
import type { Endpoint, ServedEndpoint } from '#platform/contract/endpoint.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { type Reach, reachOf } from '#platform/contract/reach.ts'
import { answerOf } from './data.ts'
import { getEndpoint, searchEndpoints, TOOL_FOR } from './find-endpoint.ts'
import { defineTool, READS, type ToolUse } from './tool.ts'

const LISTED = 12

/** Looking something up is a request like any other: it counts, and it is on record. */
const lookUp = async (use: ToolUse) => {
  const answer = await use.call({ method: 'GET', url: '/api/mcp/tools' })
  return answer.status < 400 ? undefined : answerOf('mcpTools', answer)
}

const toolFor = (endpoint: Endpoint): string => TOOL_FOR[reachOf(endpoint) as Reach]

const line = ({ id, endpoint }: ServedEndpoint): string =>
  `${id} [${toolFor(endpoint)}, ${LEVEL_NAMES[endpoint.level]}] ${endpoint.method} ${endpoint.path}: ${endpoint.summary}`

const schemaOf = (schema: z.ZodType | undefined) => {
  if (!schema) return undefined
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

const describeEndpoint = ({ id, endpoint }: ServedEndpoint): string => {
  const { method, path, summary, level, raised, job, params, query, body, reply } = endpoint
  return JSON.stringify({
    id,
    tool: toolFor(endpoint),
    request: `${method} ${path}`,
    summary,
    access: raised ? `${LEVEL_NAMES[level]}; ${LEVEL_NAMES[raised.level]} ${raised.when}` : LEVEL_NAMES[level],
    ...(job && { job: 'starts a job; follow it with wait_for_job' }),
    params: schemaOf(params),
    query: schemaOf(query),
    body: schemaOf(body),
    answers: reply instanceof z.ZodObject ? Object.keys(reply.shape) : undefined,
  })
}

export const findEndpoints = defineTool({
  name: 'find_endpoints',
  title: 'Find endpoints',
  description: `Searches the panel's API by words, such as "restart site" or "plugin updates". Lists up to ${LISTED} operation ids with the tool that calls each.`,
  reach: 'read',
  hints: READS,
  input: z.strictObject({ words: z.string().min(1).max(200) }),
  async run({ words }, use) {
    const refused = await lookUp(use)
    if (refused) return refused
    const found = searchEndpoints(use.scope.endpoints, words, LISTED)
    return { text: found.length === 0 ? 'Nothing fits. Try other words.' : found.map(line).join('\n') }
  },
})

export const describeOne = defineTool({
  name: 'describe_endpoint',
  title: 'Describe an endpoint',
  description: 'Shows what an endpoint takes (params, query, body as JSON Schema) and which tool calls it.',
  reach: 'read',
  hints: READS,
  input: z.strictObject({ endpoint: z.string().max(100) }),
  async run({ endpoint }, use) {
    const refused = await lookUp(use)
    return refused ?? { text: describeEndpoint(getEndpoint(use.scope.endpoints, endpoint)) }
  },
})
