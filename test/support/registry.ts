import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

export interface Registry {
  /** As Docker names it; it speaks plain HTTP to the loopback. */
  readonly host: string
  readonly port: number
  /** An image of one small layer that carries a label. */
  publish(tag: string, content: string): Promise<void>
  digestOf(tag: string): string
  /** From now on the newest manifest is given for every digest. */
  lie(): void
  close(): void
}

const digestOf = (data: Buffer): string => `sha256:${createHash('sha256').update(data).digest('hex')}`

/** As much of a registry as a pull asks for. */
export const startRegistry = async (): Promise<Registry> => {
  const blobs = new Map<string, Buffer>()
  const tags = new Map<string, string>()
  let newest = ''
  let isLying = false
  const keep = (data: Buffer) => {
    const digest = digestOf(data)
    blobs.set(digest, data)
    return { digest, size: data.length }
  }
  const find = (kind: string, wanted: string): Buffer | undefined => {
    if (kind === 'blobs') return blobs.get(wanted)
    return blobs.get(isLying ? newest : (tags.get(wanted) ?? wanted))
  }
  const server = createServer((request, response) => {
    const [, kind = '', wanted = ''] = /^\/v2\/base\/(manifests|blobs)\/(.+)$/.exec(request.url ?? '') ?? []
    const found = kind === '' ? Buffer.alloc(0) : find(kind, wanted)
    if (found === undefined) return response.writeHead(404).end()
    const type = kind === 'manifests' ? MANIFEST : 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-length': found.length })
    return response.end(request.method === 'HEAD' ? undefined : found)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    port,
    publish: async (tag, content) => {
      const tar = pack()
      tar.entry({ name: 'content', mtime: new Date(0) }, content)
      tar.finalize()
      const layer = keep(await buffer(tar))
      const config = {
        architecture: ARCHITECTURES[process.arch] ?? process.arch,
        os: 'linux',
        config: { Labels: { content } },
        rootfs: { type: 'layers', diff_ids: [layer.digest] },
      }
      const manifest = {
        schemaVersion: 2,
        mediaType: MANIFEST,
        config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...keep(Buffer.from(JSON.stringify(config))) },
        layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...layer }],
      }
      newest = keep(Buffer.from(JSON.stringify(manifest))).digest
      tags.set(tag, newest)
    },
    digestOf: tag => tags.get(tag) ?? '',
    lie: () => {
      isLying = true
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
