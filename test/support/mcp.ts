import assert from 'node:assert/strict'
import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { z } from 'zod'
import type { mcp } from '#features/mcp/contract.ts'
import type { TestPanel } from './panel.ts'

type NewConnection = z.input<typeof mcp.mcpConnectionCreate.body>

/** A connection with its token. */
export const connectionTo = async (panel: TestPanel, asked: Partial<NewConnection> = {}) =>
  panel.as('full').mcpConnectionCreate({ body: { name: 'Test app', access: 'full', ...asked } })

/** `fetch` that asks the panel without a socket. */
export const fetchOf =
  (panel: TestPanel): FetchLike =>
  async (url, init = {}) => {
    const { pathname, search } = new URL(url)
    const answer = await panel.ask(`${pathname}${search}`, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body === undefined || init.body === null ? {} : { raw: await new Response(init.body).text() }),
    })
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    const isEmpty = [204, 304].includes(answer.status)
    return new Response(isEmpty ? null : answer.text, { status: answer.status, headers })
  }

export interface App {
  readonly client: Client
  /** Calls a tool; the text of the answer, and whether it is an error. */
  call(tool: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>
}

export interface AppOptions {
  /** The version of the protocol that it speaks. */
  era?: 'legacy' | 'modern'
  /** What its person says to every question; without it, it cannot ask. */
  person?: (question: string) => 'accept' | 'decline' | 'cancel'
}

/** An AI app built with the official client. */
export const openApp = async (panel: TestPanel, token: string, options: AppOptions = {}): Promise<App> => {
  const { era = 'modern', person } = options
  const client = new Client(
    { name: 'test-app', version: '1.0' },
    {
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
      capabilities: person ? { elicitation: { form: {} } } : {},
    },
  )
  if (person)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const action = person(params.message)
      return action === 'accept' ? { action, content: {} } : { action }
    })
  const transport = new StreamableHTTPClientTransport(new URL(`${panel.config.publicUrl}/mcp`), {
    fetch: fetchOf(panel),
    authProvider: { token: async () => token },
  })
  await client.connect(transport)
  return {
    client,
    call: async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args })
      const [first] = result.content
      assert.equal(first?.type, 'text')
      return { text: first.text, isError: result.isError ?? false }
    },
  }
}

/** The data between the markers of an answer, parsed. */
export const dataIn = (text: string): unknown => {
  const found = /<(data-[0-9a-f]{12})>\n([^]*)\n<\/\1>/.exec(text)
  assert.ok(found, `no data in: ${text}`)
  return JSON.parse(found[2] ?? '') as unknown
}

/** The plainest client there is: one JSON-RPC message of the 2025 protocol. */
export const rpc = async (panel: TestPanel, token: string, method: string, params: unknown = {}) => {
  const answer = await panel.ask('/mcp', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  const text = /^data: (.*)$/m.exec(answer.text)?.[1] ?? answer.text
  return { status: answer.status, headers: answer.headers, json: JSON.parse(text) as Record<string, unknown> }
}
