import { createHash } from 'node:crypto'
import { createWriteStream, renameSync, statSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyArgs, callHeaders, callUrl } from '#platform/contract/client.ts'
import { type DownloadFacts, downloadFacts, type ResumeAt } from '#platform/contract/downloaded.ts'
import type { DownloadNotes, Endpoint } from '#platform/contract/endpoint.ts'
import { EXIT, errnoOf, Failure } from '../failure.ts'
import { bytes, say } from '../terminal.ts'
import type { Connection } from './connection.ts'

type Downloading = Endpoint & { download: DownloadNotes }

/** How often a connection may break without a single byte in between. */
const TRIES = 5
const PAUSE_MS = 500

const factsOf = ({ headers }: IncomingMessage): DownloadFacts =>
  downloadFacts(name => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  })

/** What has arrived is kept under a name that says of which bytes it is a part, so that a later run can continue. */
const partOf = (file: string, etag: string | undefined): string =>
  etag === undefined ? `${file}.part` : `${file}.${createHash('sha256').update(etag).digest('hex').slice(0, 12)}.part`

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

class Download {
  readonly #open: (resumeAt?: ResumeAt) => Promise<IncomingMessage>
  readonly #ranges: boolean

  constructor(connection: Connection, endpoint: Downloading, args: AnyArgs) {
    this.#ranges = endpoint.download.ranges ?? false
    this.#open = resumeAt => {
      const headers = callHeaders({ ...args, ...(resumeAt && { resumeAt }) })
      return connection.open({ method: endpoint.method, url: callUrl(endpoint, args), headers })
    }
  }

  async toStdout(): Promise<void> {
    await pipeline(await this.#open(), process.stdout, { end: false }).catch(brokeOff)
  }

  /** Under another name until it is complete. */
  async toFile(file: string): Promise<void> {
    const part = this.#ranges ? await this.#inTurns(file) : await this.#atOnce(file)
    renameSync(part, file)
    say(`Saved ${file} (${bytes(sizeOf(file))}).`)
  }

  async #atOnce(file: string): Promise<string> {
    const part = partOf(file, undefined)
    const error = await save(await this.#open(), part, 'w')
    if (error !== undefined) brokeOff(error)
    return part
  }

  /** Continues where an earlier run or a broken connection ended. */
  async #inTurns(file: string): Promise<string> {
    let answer = await this.#open()
    const { etag = '', sizeBytes = 0 } = factsOf(answer)
    const part = partOf(file, etag)
    for (let left = TRIES; left > 0; left -= 1) {
      const start = sizeOf(part)
      if (start > 0) {
        answer.destroy()
        if (start === sizeBytes) return part
        say(`Resuming after ${bytes(start)} of ${bytes(sizeBytes)}.`)
        answer = await this.#open({ start, etag })
      }
      const error = await this.#saveRest(answer, part, etag, start)
      if (error === undefined) return part
      if (!isBroken(error)) throw error
      if (sizeOf(part) > start) left = TRIES
      await sleep(PAUSE_MS)
      if (sizeOf(part) === 0) answer = await this.#open()
    }
    throw new Failure('The connection keeps dropping. Run the same command to resume.')
  }

  async #saveRest(answer: IncomingMessage, part: string, etag: string, start: number): Promise<unknown> {
    const facts = factsOf(answer)
    if (facts.etag === etag) return save(answer, part, facts.start === start ? 'a' : 'w')
    answer.destroy()
    throw new Failure('It was changed in the meantime: start the download again.')
  }
}

/** Returns what went wrong with the connection. */
const save = async (answer: IncomingMessage, part: string, flags: 'a' | 'w'): Promise<unknown> => {
  const file = createWriteStream(part, { flags, mode: 0o600 })
  let unwritten: unknown
  file.once('error', error => {
    unwritten = errnoOf(error) && !isBroken(error) ? error : undefined
  })
  try {
    await pipeline(answer, file)
    return undefined
  } catch (error) {
    if (unwritten) throw new Failure(`${part} can't be written (${errnoOf(unwritten)}): choose another path with -o.`)
    return error
  }
}

/** Of the connection; a full disk is another matter. */
const isBroken = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE'].includes(errnoOf(error) ?? '') ||
  (error instanceof Error && error.name === 'TimeoutError')

const brokeOff = (error: unknown): never => {
  throw isBroken(error) ? new Failure('The connection was lost. Try again.') : error
}

const STDOUT = '-'

/** Saves what an endpoint gives, or passes it on to standard output. */
export const download = async (
  connection: Connection,
  endpoint: Downloading,
  args: AnyArgs,
  output = STDOUT,
): Promise<void> => {
  const made = new Download(connection, endpoint, args)
  if (output !== STDOUT) return made.toFile(output)
  if (process.stdout.isTTY)
    throw new Failure('Choose where to save it with -o FILE, or pipe it into another program.', EXIT.usage)
  return made.toStdout()
}
