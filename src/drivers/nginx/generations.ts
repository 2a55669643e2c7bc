import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { exec } from '#platform/host/command.ts'
import { findFile } from '#platform/host/find-file.ts'
import type { Host } from '#platform/host/host.ts'
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
const FILE_PATH = /^(?:[a-z0-9][a-z0-9_-]*\/)?[a-z0-9][a-z0-9._-]*$/

/** The same files always have the same name, so that what is there already need not be written again. */
export const generationOf = (files: EdgeFiles): string => {
  const hash = createHash('sha256')
  for (const [path, text] of sorted(files)) hash.update(`${path.length}:${path}${text.length}:${text}`)
  return hash.digest('hex').slice(0, 20)
}

export const pathOf = ({ path }: EdgeFolder, id: string): string => `${checkPath('path', path)}/generations/${id}`

export const lockOf = ({ path }: EdgeFolder): string => `${checkPath('path', path)}/.lock`

/** Complete or absent: the folder gets its name only when every file is on the disk. */
export const writeGeneration = async (folder: EdgeFolder, id: string, files: EdgeFiles): Promise<void> => {
  const { host } = folder
  const path = pathOf(folder, id)
  if (await findFile(host, path)) {
    await host.run(exec('touch', path))
    return
  }
  const unfinished = pathOf(folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`)
  await host.makeDir(unfinished)
  // All in one go: a server with hundreds of sites would otherwise take hundreds of round trips.
  await host.run(exec('tar', '-x', '--no-same-owner', '-C', unfinished), { stdin: archiveOf(id, files) })
  // Once for the whole disk: file by file would cost more with every site.
  await host.run(exec('sync', '-f', unfinished))
  await host.run(exec('mv', '-T', unfinished, path))
}

const archiveOf = (id: string, files: EdgeFiles) => {
  const archive = pack()
  const own = { 'generation.conf': renderNginx([directive('return', 200, id)]) }
  for (const [name, text] of sorted({ ...files, ...own })) {
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

/** One rename: anyone who looks finds the old or the new one. The link is relative, so it also holds in a container. */
export const pointTo = async ({ host, path }: EdgeFolder, id: string): Promise<void> => {
  const beside = `${path}/.current-${randomBytes(6).toString('hex')}`
  await host.run(exec('ln', '-s', `generations/${id}`, beside))
  await host.run(exec('mv', '-T', beside, `${path}/current`))
}

export const removeGeneration = async (folder: EdgeFolder, id: string): Promise<void> => {
  await folder.host.run(exec('rm', '-rf', '--', pathOf(folder, id)))
}

/** Keeps the newest ones, and removes what a killed attempt has left. */
export const pruneGenerations = async (folder: EdgeFolder, current: string): Promise<void> => {
  const { host, path } = folder
  const list = exec('find', `${path}/generations`, '-mindepth', '1', '-maxdepth', '1', '-printf', '%T@ %f\\n')
  const { stdout } = await host.run(list)
  const newestFirst = stdout
    .split('\n')
    .filter(line => line !== '')
    .toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
    .map(line => line.slice(line.indexOf(' ') + 1))
  const finished = newestFirst.filter(name => !name.startsWith(UNFINISHED) && name !== current)
  const kept = new Set([current, ...finished.slice(0, KEPT - 1)])
  const gone = newestFirst.filter(name => !kept.has(name)).map(name => pathOf(folder, name))
  if (gone.length > 0) await host.run(exec('rm', '-rf', '--', ...gone))
  await host.run(exec('find', path, '-maxdepth', '1', '-name', '.current-*', '-delete'))
}

const sorted = (files: EdgeFiles) => Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1))
