import type { Endpoint } from './endpoint.ts'

/** What the tools of an AI connection are for; each endpoint is reached by one kind of tool, or by none. */
export const REACHES = ['read', 'change', 'destroy', 'files'] as const
export type Reach = (typeof REACHES)[number]

/** The kind of tool that reaches an endpoint; undefined where AI connections do not come. */
export const reachOf = (endpoint: Endpoint): Reach | undefined => {
  const { mcp = 'yes', personOnly, socket, level, method, destructive } = endpoint
  if (mcp === 'no' || personOnly || socket || level === 'none') return undefined
  if (mcp === 'file-tools') return 'files'
  if (destructive) return 'destroy'
  return method === 'GET' ? 'read' : 'change'
}
