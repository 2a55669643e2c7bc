import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

export interface Mirror {
  readonly api: string
  readonly downloads: string
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  /** By path and query: what is served, or how to answer. */
  readonly answers: Map<string, Buffer | string | ((response: ServerResponse) => void)>
  /** Serves an archive as the service does, with its checksums beside it. */
  addRelease(path: string, archive: Buffer): void
  close(): void
}

/** A server that speaks the protocol of wordpress.org and has what it is given. */
export const startMirror = async (): Promise<Mirror> => {
  const answers: Mirror['answers'] = new Map()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers.get(path)
    if (typeof answer === 'function') answer(response)
    else response.writeHead(answer === undefined ? 404 : 200).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    api: url,
    downloads: url,
    asked,
    answers,
    addRelease: (path, archive) => {
      answers.set(path, archive)
      for (const kind of ['sha1', 'md5']) answers.set(`${path}.${kind}`, createHash(kind).update(archive).digest('hex'))
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Entry = Parameters<ReturnType<typeof pack>['entry']>[0] & { readonly data?: string | Buffer }

export const tarGz = (entries: readonly Entry[]): Promise<Buffer> => {
  const tar = pack()
  for (const { data = '', ...header } of entries) tar.entry(header, data)
  tar.finalize()
  return buffer(tar.pipe(createGzip()))
}
