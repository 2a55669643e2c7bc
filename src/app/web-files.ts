import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

export interface WebFile {
  type: string
  plain: Buffer
  gzipped: Buffer
}

const readFile = (file: string): WebFile => {
  const plain = readFileSync(file)
  return { plain, gzipped: gzipSync(plain, { level: 9 }), type: TYPES[extname(file)] ?? 'application/octet-stream' }
}

/** The built browser interface, read once: a request names a file of this list or gets nothing, so no path is ever joined. */
export const readWebFiles = (dir: string): { index: WebFile | undefined; assets: Map<string, WebFile> } => {
  const index = join(dir, 'index.html')
  if (!existsSync(index)) return { index: undefined, assets: new Map() }
  const assets = join(dir, 'assets')
  const names = existsSync(assets) ? readdirSync(assets) : []
  return { index: readFile(index), assets: new Map(names.map(name => [name, readFile(join(assets, name))])) }
}
