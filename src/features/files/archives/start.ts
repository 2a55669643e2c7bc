import { Problem } from '#platform/contract/problem.ts'
import type { RequestScope } from '#platform/http/handlers.ts'
import { runningSite } from '../site-of.ts'
import { filesCompress } from './files.compress.ts'
import { filesExtract } from './files.extract.ts'

interface Extract {
  readonly path: string
  readonly to: string
  readonly overwrite: boolean
}

export const startExtract = async (scope: RequestScope, slug: string, { path, to, overwrite }: Extract) => {
  const { server_id: serverId } = await runningSite(scope, slug)
  if (!isZip(path)) throw refused('path', 'must be a .zip file')
  return scope.jobs.enqueue(filesExtract, { slug, serverId, path, to, overwrite })
}

interface Compress {
  readonly paths: readonly string[]
  readonly to: string
  readonly overwrite: boolean
}

export const startCompress = async (scope: RequestScope, slug: string, { paths, to, overwrite }: Compress) => {
  const { server_id: serverId } = await runningSite(scope, slug)
  if (!isZip(to)) throw refused('to', 'must end in .zip')
  if (paths.some(path => parentOf(path) !== parentOf(to))) throw refused('paths', 'must lie in the folder of the .zip')
  if (new Set(paths).size !== paths.length || paths.includes(to)) throw refused('paths', 'must name each entry once')
  return scope.jobs.enqueue(filesCompress, { slug, serverId, paths: [...paths], to, overwrite })
}

const isZip = (path: string): boolean => path.toLowerCase().endsWith('.zip')

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const refused = (path: string, message: string): Problem =>
  new Problem('validation_error', `The request is not valid: ${path} ${message}.`, [{ in: 'body', path, message }])
