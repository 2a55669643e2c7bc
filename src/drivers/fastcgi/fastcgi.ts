import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HostError, HostTimeout, OutputTooLarge } from '#platform/host/errors.ts'
import type { DialAddress, Host } from '#platform/host/host.ts'
import { type Output, parseOutput } from './parse-answer.ts'
import { beginRequest, encodePairs, FastcgiError, readRecords, recordsOf, TYPE } from './records.ts'

const TIMEOUT_MS = 60_000
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
const PARAM_NAME = /^(?!PHP_)[A-Z][A-Z0-9_]*$/
const PLAIN_PATH = /^(\/[\w-][\w.-]*)+$/

export interface FastcgiRequest {
  /** The folder of the scripts, as the one who answers sees it. */
  readonly root: string
  /** Below the root, `/list.php`. */
  readonly script: string
  /** What the script finds in `$_SERVER`. */
  readonly params?: Readonly<Record<string, string>>
  /** What the script reads. Its length must be known before, since PHP reads no further than it was told. */
  readonly stdin?: Buffer | { readonly source: Readable; readonly sizeBytes: number }
  /** For output and errors together, 16 MiB if absent; beyond it `OutputTooLarge` is thrown. */
  readonly maxOutputBytes?: number
  /** A minute if absent; then `HostTimeout` is thrown. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

export interface FastcgiAnswer extends Output {
  readonly stderr: string
}

/** Has a script run by the FastCGI server at this address, on its own connection. */
export const fastcgi = async (host: Host, address: DialAddress, request: FastcgiRequest): Promise<FastcgiAnswer> => {
  const { timeoutMs = TIMEOUT_MS, signal } = request
  const head = headOf(request)
  const tooLate = AbortSignal.timeout(timeoutMs)
  const stop = signal === undefined ? tooLate : AbortSignal.any([signal, tooLate])
  let connection: Duplex | undefined
  const onAbort = () => connection?.destroy(new FastcgiError('stopped'))
  stop.addEventListener('abort', onAbort, { once: true })
  try {
    signal?.throwIfAborted()
    connection = await host.dial(address, { timeoutMs, signal })
    stop.throwIfAborted()
    return await converse(connection, head, request)
  } catch (error) {
    signal?.throwIfAborted()
    throw tooLate.aborted ? new HostTimeout(host.name, timeoutMs) : error
  } finally {
    stop.removeEventListener('abort', onAbort)
    connection?.destroy()
  }
}

const headOf = ({ root, script, params = {}, stdin }: FastcgiRequest): Buffer => {
  if (![root, script].every(path => PLAIN_PATH.test(path)))
    throw new FastcgiError('the path of the script is not plain')
  // Some names would change how PHP runs rather than what the script sees.
  const odd = Object.keys(params).find(name => !PARAM_NAME.test(name))
  if (odd !== undefined) throw new FastcgiError(`${JSON.stringify(odd).slice(0, 80)} is not a valid script parameter`)
  const sizeBytes = stdin === undefined ? 0 : 'sizeBytes' in stdin ? stdin.sizeBytes : stdin.length
  const pairs = encodePairs({
    ...params,
    GATEWAY_INTERFACE: 'CGI/1.1',
    SERVER_PROTOCOL: 'HTTP/1.1',
    REQUEST_METHOD: stdin === undefined ? 'GET' : 'POST',
    DOCUMENT_ROOT: root,
    SCRIPT_FILENAME: `${root}${script}`,
    SCRIPT_NAME: script,
    // A type that PHP leaves alone, so that the script reads what was sent.
    CONTENT_TYPE: 'application/octet-stream',
    CONTENT_LENGTH: String(sizeBytes),
  })
  return Buffer.concat([beginRequest(), recordsOf(TYPE.params, pairs), recordsOf(TYPE.params, Buffer.alloc(0))])
}

const converse = async (connection: Duplex, head: Buffer, request: FastcgiRequest): Promise<FastcgiAnswer> => {
  const fed = Promise.withResolvers<never>()
  fed.promise.catch(() => {})
  connection.on('error', () => {})
  connection.write(head)
  void feed(connection, request.stdin).catch(fed.reject)
  const { stdout, stderr } = await Promise.race([collect(connection, request), fed.promise])
  return { ...parseOutput(stdout), stderr }
}

/** A script may answer without reading all; only a source that fails is a failure. */
const feed = async (connection: Duplex, stdin: FastcgiRequest['stdin']): Promise<void> => {
  const end = recordsOf(TYPE.stdin, Buffer.alloc(0))
  if (stdin === undefined || Buffer.isBuffer(stdin)) {
    connection.write(
      stdin === undefined || stdin.length === 0 ? end : Buffer.concat([recordsOf(TYPE.stdin, stdin), end]),
    )
    return
  }
  let failure: unknown
  stdin.source.once('error', error => {
    failure = error
  })
  const records = async function* (source: AsyncIterable<Buffer | string>) {
    // An empty record would end the input.
    for await (const chunk of source) if (chunk.length > 0) yield recordsOf(TYPE.stdin, Buffer.from(chunk))
    yield end
  }
  await pipeline(stdin.source, records, connection, { end: false }).catch(() => {})
  if (failure !== undefined) throw failure
}

const collect = async (connection: Duplex, { maxOutputBytes = MAX_OUTPUT_BYTES }: FastcgiRequest) => {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  let leftBytes = maxOutputBytes
  try {
    for await (const { type, content } of readRecords(connection)) {
      if (type === TYPE.end) return endOf(content, stdout, stderr)
      leftBytes -= content.length
      if (leftBytes < 0) throw new OutputTooLarge('the response of the script', maxOutputBytes)
      if (type === TYPE.stdout) stdout.push(content)
      else if (type === TYPE.stderr) stderr.push(content)
      else throw new FastcgiError(`unexpected record of type ${type}`)
    }
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new FastcgiError('the connection was cut before the response was complete', { cause: error })
  }
  throw new FastcgiError('the connection ended before the response was complete')
}

const endOf = (content: Buffer, stdout: readonly Buffer[], stderr: readonly Buffer[]) => {
  const refused = content.length < 5 || content.readUInt8(4) !== 0
  if (refused) throw new FastcgiError('the server was busy or did not understand the request')
  return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }
}
