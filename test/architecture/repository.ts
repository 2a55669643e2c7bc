import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFiles } from './rule.ts'

const root = join(import.meta.dirname, '../..')

const listFiles = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(path => path !== '')

/** Every file of the repository as it lies on disk: tracked, or new and not ignored. */
export const readRepository = (): SourceFiles =>
  new Map(
    listFiles()
      .filter(path => existsSync(join(root, path)) && lstatSync(join(root, path)).isFile())
      .map(path => [path, readFileSync(join(root, path), 'utf8')]),
  )
