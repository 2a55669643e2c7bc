import { DialFailed, HostTimeout } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { HEALTH_PATH } from './edge-main.ts'

const ANSWER_TIMEOUT_MS = 2_000
const LONGEST_ANSWER = 4096

/** The configuration that the edge of this host serves, asked from the host itself; undefined when nothing answers. */
export const readEdgeGeneration = async (host: Host, httpPort: number): Promise<string | undefined> => {
  try {
    const connection = await host.dial({ port: httpPort }, { timeoutMs: ANSWER_TIMEOUT_MS })
    const timer = setTimeout(() => connection.destroy(), ANSWER_TIMEOUT_MS)
    try {
      connection.write(`GET ${HEALTH_PATH} HTTP/1.0\r\n\r\n`)
      return generationIn(await textOf(connection))
    } finally {
      clearTimeout(timer)
      connection.destroy()
    }
  } catch (error) {
    if (error instanceof DialFailed || error instanceof HostTimeout || isCutOff(error)) return undefined
    throw error
  }
}

const textOf = async (connection: AsyncIterable<Buffer>): Promise<string> => {
  let text = ''
  for await (const chunk of connection) {
    text += chunk.toString('latin1')
    if (text.length > LONGEST_ANSWER) break
  }
  return text
}

const generationIn = (answer: string): string | undefined =>
  /^HTTP\/1\.[01] 200 [^]*\r\n\r\n([0-9a-f]+)$/.exec(answer)?.[1]

const isCutOff = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
