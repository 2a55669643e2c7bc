import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'

export interface Seen {
  method: string
  url: string
  body: unknown
  authorization: string | undefined
}

export interface Answer {
  status: number
  body: unknown
  /** Left unanswered, as by a panel that hangs. */
  never?: boolean
}

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const text = Buffer.concat(parts).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}

/** Something at an address that answers as a test wants, for what a real panel does only on bad days. */
export const stubPanel = async (t: TestContext, answer: (seen: Seen) => Answer) => {
  const seen: Seen[] = []
  const respond = async (request: IncomingMessage, reply: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, body: await readBody(request), authorization: headers.authorization }
    seen.push(one)
    const { status, body, never } = answer(one)
    if (!never) reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, reply) => void respond(request, reply))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { seen, env: { FLEETPRESS_URL: `http://127.0.0.1:${port}`, FLEETPRESS_KEY: 'fp_fu_test' } }
}

export const problem = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { code, message, details: null } },
})
