import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

export interface Mirror {
  readonly api: string
  readonly downloads: string
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  readonly port: number
  /** By path and query, or by path alone: what is served, or how to answer. */
  readonly answers: Map<
    string,
    Buffer | string | ((response: ServerResponse, path: string, request: IncomingMessage) => void)
  >
  /** Serves an archive as the service does, with its checksum next to it and those of its files at the other service. */
  addRelease(path: string, archive: Buffer, files: Readonly<Record<string, Buffer | string>>): void
  close(): void
}

/** A server that speaks the protocol of wordpress.org and has what it is given. */
export const startMirror = async (listen = '127.0.0.1'): Promise<Mirror> => {
  const answers: Mirror['answers'] = new Map()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers.get(path) ?? answers.get(path.replace(/\?.*/s, ''))
    if (typeof answer === 'function') answer(response, path, request)
    else response.writeHead(answer === undefined ? 404 : 200).end(answer)
  }).listen(0, listen)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    port,
    api: url,
    downloads: url,
    asked,
    answers,
    addRelease: (path, archive, files) => {
      answers.set(path, archive)
      answers.set(`${path}.sha1`, createHash('sha1').update(archive).digest('hex'))
      const [, locale = 'en_US', version = ''] = /^\/release\/(?:(\w+)\/)?wordpress-(.+)\.tar\.gz$/.exec(path) ?? []
      const md5 = (data: Buffer | string) => createHash('md5').update(data).digest('hex')
      const checksums = Object.fromEntries(Object.entries(files).map(([name, data]) => [name, md5(data)]))
      answers.set(
        `/core/checksums/1.0/?${new URLSearchParams({ version, locale }).toString()}`,
        JSON.stringify({ checksums }),
      )
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
