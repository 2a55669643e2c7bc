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
  readonly type: string
  readonly plain: Buffer
  readonly gzipped: Buffer
}

/** Compressed when it is first asked for: all of them together would hold up every start of a panel. */
const readFile = (file: string): WebFile => {
  const plain = readFileSync(file)
  let gzipped: Buffer | undefined
  return {
    plain,
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    get gzipped() {
      return (gzipped ??= gzipSync(plain, { level: 9 }))
    },
  }
}

/** The built browser interface, read once: a request names a file of this list or gets nothing, so no path is ever joined. */
export const readWebFiles = (dir: string): { index: WebFile | undefined; assets: Map<string, WebFile> } => {
  const index = join(dir, 'index.html')
  if (!existsSync(index)) return { index: undefined, assets: new Map() }
  const assets = join(dir, 'assets')
  const names = existsSync(assets) ? readdirSync(assets) : []
  return { index: readFile(index), assets: new Map(names.map(name => [name, readFile(join(assets, name))])) }
}
