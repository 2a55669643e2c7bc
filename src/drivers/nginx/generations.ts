import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { SHELL } from '#platform/host/shell-text.ts'
import { checkPath } from './values.ts'
import { directive, renderNginx } from './writer.ts'

/** Texts by path below the folder of the configuration, nginx.conf among them. */
export type EdgeFiles = Readonly<Record<string, string>>

/** The folder on the host that holds generations/ and the link `current`. */
export interface EdgeFolder {
  readonly host: Host
  readonly path: string
}

const KEPT = 3
const UNFINISHED = '.new-'
/** Tells which generation is served. */
const OWN_FILE = 'generation.conf'
const FILE_PATH = /^(?:[a-z0-9][a-z0-9_-]*\/)?[a-z0-9][a-z0-9._-]*$/

/** The same files always have the same name, so that what is there already need not be written again. */
export const generationOf = (files: EdgeFiles): string => {
  const hash = createHash('sha256')
  for (const [path, text] of sorted(files)) hash.update(`${path.length}:${path}${text.length}:${text}`)
  return hash.digest('hex').slice(0, 20)
}

export const pathOf = ({ path }: EdgeFolder, id: string): string => `${checkPath('path', path)}/generations/${id}`

export const lockOf = ({ path }: EdgeFolder): string => `${checkPath('path', path)}/.lock`

/**
 * Words: folder, its name until it is complete. In one command: a server with hundreds of sites would otherwise take
 * hundreds of round trips. On the disk at once, too: file by file would cost more with every site.
 */
const WRITE = `
set -e
umask 022
if [ -e "$0" ]; then
  cat > /dev/null
  touch -- "$0"
  exit
fi
mkdir -p -- "$1"
tar -x --no-same-owner -C "$1"
[ -e "$1/${OWN_FILE}" ]
sync -f "$1"
mv -T -- "$1" "$0"
`

/** Complete or absent: the folder gets its name only when every file is on the disk. */
export const writeGeneration = async (folder: EdgeFolder, id: string, files: EdgeFiles): Promise<void> => {
  const unfinished = pathOf(folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`)
  await folder.host.run(exec(...SHELL, WRITE, pathOf(folder, id), unfinished), { stdin: archiveOf(id, files) })
}

/** Its own file comes last, so all others are there with it: a cut connection looks like an end too. */
const archiveOf = (id: string, files: EdgeFiles) => {
  const archive = pack()
  for (const [name, text] of [...sorted(files), [OWN_FILE, renderNginx([directive('return', 200, id)])] as const]) {
    if (!FILE_PATH.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid configuration file name`)
    archive.entry({ name, mode: 0o644 }, text)
  }
  archive.finalize()
  return Readable.from(archive)
}

export const currentGeneration = async ({ host, path }: EdgeFolder): Promise<string | undefined> => {
  const { stdout } = await host.run(exec('readlink', '--', `${path}/current`), { allowExitCodes: [1] })
  return stdout.trim().split('/').at(-1) || undefined
}

/** Words: where to, the link until it is complete, the link. */
const POINT = 'ln -s -- "$0" "$1" && mv -T -- "$1" "$2"'

/** One rename: anyone who looks finds the old or the new one. The link is relative, so it also holds in a container. */
export const pointTo = async ({ host, path }: EdgeFolder, id: string): Promise<void> => {
  const beside = `${path}/.current-${randomBytes(6).toString('hex')}`
  await host.run(exec(...SHELL, POINT, `generations/${id}`, beside, `${path}/current`))
}

export const removeGeneration = async (folder: EdgeFolder, id: string): Promise<void> => {
  await folder.host.run(exec('rm', '-rf', '--', pathOf(folder, id)))
}

/** Words: the folder. Lists what it has, and removes links that never got their name. */
const LIST = `
find "$0/generations" -mindepth 1 -maxdepth 1 -printf '%T@ %f\\n'
find "$0" -maxdepth 1 -name '.current-*' -delete
`

/** Keeps the newest ones, and removes what a killed attempt has left. */
export const pruneGenerations = async (folder: EdgeFolder, current: string): Promise<void> => {
  const { host, path } = folder
  const { stdout } = await host.run(exec(...SHELL, LIST, path))
  const newestFirst = stdout
    .split('\n')
    .filter(line => line !== '')
    .toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
    .map(line => line.slice(line.indexOf(' ') + 1))
  const finished = newestFirst.filter(name => !name.startsWith(UNFINISHED) && name !== current)
  const kept = new Set([current, ...finished.slice(0, KEPT - 1)])
  const gone = newestFirst.filter(name => !kept.has(name)).map(name => pathOf(folder, name))
  if (gone.length > 0) await host.run(exec('rm', '-rf', '--', ...gone))
}

const sorted = (files: EdgeFiles) => Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1))
