import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { inRepository, ROOT } from '../repository.ts'

/** What a panel runs from; tests and benchmarks stay behind. */
const RELEASED = [
  'fleetpress',
  'package.json',
  'package-lock.json',
  'openapi.json',
  'tsconfig.json',
  'vite.config.ts',
  'README.md',
  'LICENSE',
  'src',
  'images',
  'docs',
  'dist/web',
]

const filesOf = (path: string): string[] => {
  const found = readdirSync(inRepository(path), { withFileTypes: true })
  return found.flatMap(entry => {
    const below = `${path}/${entry.name}`
    return entry.isDirectory() ? filesOf(below) : [below]
  })
}

const isFolder = (path: string): boolean => !path.includes('.') && path !== 'fleetpress' && path !== 'LICENSE'

const releasedFiles = (): string[] =>
  RELEASED.filter(path => existsSync(inRepository(path)))
    .flatMap(path => (isFolder(path) ? filesOf(path) : [path]))
    .filter(path => !/\.test\.[jt]sx?$/.test(path))
    .toSorted()

/** The archive of this version: everything in one folder, owned by root. */
export const packRelease = (version: string, archive: string): void => {
  const words = [
    '-czf',
    archive,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    `--transform=s,^,fleetpress-${version}/,`,
  ]
  const done = spawnSync('tar', [...words, '-C', ROOT, '--verbatim-files-from', '--no-recursion', '-T', '-'], {
    input: releasedFiles().join('\n'),
    encoding: 'utf8',
  })
  if (done.status !== 0) throw new Failure(`tar failed: ${done.stderr.trim()}`)
}
