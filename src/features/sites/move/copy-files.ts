import { Problem } from '#platform/contract/problem.ts'
import { type ExecCommand, exec, pipe } from '#platform/host/command.ts'
import { CommandFailed, HostTimeout } from '#platform/host/errors.ts'
import type { Host, OnChunk } from '#platform/host/host.ts'
import { pump } from './pump.ts'

/** A folder of a site on one host. */
export interface Folder {
  readonly host: Host
  readonly path: string
}

const CHANGED_WHILE_READ = 1
const COMPARING_LIMIT_MS = 30 * 60_000
/** Times to the nanosecond are only in this format. */
const PACK = ['tar', '--create', '--format=posix', '--numeric-owner', '--sparse', '--file=-'] as const
const UNPACK = exec(
  'tar',
  '--extract',
  '--numeric-owner',
  '--same-owner',
  '--same-permissions',
  '--delay-directory-restore',
  '--file=-',
)

/**
 * All of it, into a folder that is made anew. The site may be writing meanwhile: tar walks from folder to folder without
 * following links, so nothing from outside can get in.
 */
export const copyAll = async (from: Folder, to: Folder, signal: AbortSignal): Promise<void> => {
  await to.host.run(exec('rm', '-rf', '--one-file-system', '--', to.path), { signal })
  await to.host.makeDir(to.path)
  const pack = exec(...PACK, '--ignore-failed-read', '--warning=no-file-changed', '.')
  await transfer(from, to, { pack, allowExitCodes: [CHANGED_WHILE_READ] }, signal)
}

interface Packing {
  readonly pack: ExecCommand
  readonly stdin?: Buffer
  readonly allowExitCodes?: readonly number[]
}

const transfer = (from: Folder, to: Folder, { pack, stdin, allowExitCodes }: Packing, signal: AbortSignal) =>
  pump(
    (onStdout, stop) =>
      from.host.stream(pack, { cwd: from.path, onStdout, signal: stop, allowExitCodes, ...(stdin && { stdin }) }),
    (stdin, stop) => to.host.run(UNPACK, { cwd: to.path, stdin, signal: stop }),
    signal,
  )

interface Changed {
  readonly count: number
  /** Paths of what was copied. */
  readonly files: Buffer
}

/**
 * What is different, and what has changed since that moment even if it looks the same. Nobody may be writing on either
 * side. Whatever is of another kind is removed first, so that no path leads through a link.
 */
export const copyChanged = async (
  from: Folder,
  to: Folder,
  sinceSeconds: number,
  signal: AbortSignal,
): Promise<Changed> => {
  const [wanted, there] = await Promise.all([listEntries(from, signal), listEntries(to, signal)])
  const removed = [...there].filter(([path, { kind }]) => wanted.get(path)?.kind !== kind).map(([path]) => path)
  const remove = exec('xargs', '--null', '--no-run-if-empty', 'rm', '-rf', '--')
  await to.host.run(remove, { cwd: to.path, stdin: listed(removed), signal })
  const changed = [...wanted].filter(
    ([path, entry]) => entry.changedAtSeconds >= sinceSeconds || there.get(path)?.state !== entry.state,
  )
  if (changed.length > 0) {
    const pack = exec(...PACK, '--null', '--no-recursion', '--verbatim-files-from', '--files-from=-')
    await transfer(from, to, { pack, stdin: listed(changed.map(([path]) => path)) }, signal)
  }
  const files = changed.filter(([, { kind }]) => kind === 'f').map(([path]) => path)
  return { count: changed.length + removed.length, files: listed(files) }
}

/** Names may hold any byte, so they are kept as bytes. */
const listed = (paths: readonly string[]): Buffer => Buffer.from(paths.map(path => `./${path}\0`).join(''), 'latin1')

interface Entry {
  readonly kind: string
  /** Two that are equal look the same from outside. */
  readonly state: string
  readonly changedAtSeconds: number
}

/** Sockets and the like are nothing that could be copied. */
const LIST = exec(
  'find',
  '.',
  '-mindepth',
  '1',
  '(',
  '-type',
  'd',
  '-printf',
  'd\\0%C@\\0%m %U %G\\0%P\\0',
  ')',
  '-o',
  '(',
  '-type',
  'f',
  '-printf',
  'f\\0%C@\\0%m %U %G %s %T@\\0%P\\0',
  ')',
  '-o',
  '(',
  '-type',
  'l',
  '-printf',
  'l\\0%C@\\0%U %G %l\\0%P\\0',
  ')',
)
const FIELDS = 4

/** All that a command says, which may be no text. */
const readBytes = async ({ host, path }: Folder, command: ExecCommand, signal: AbortSignal): Promise<Buffer> => {
  const chunks: Buffer[] = []
  const onStdout: OnChunk = chunk => void chunks.push(chunk)
  await host.stream(command, { cwd: path, onStdout, signal })
  return Buffer.concat(chunks)
}

const listEntries = async (folder: Folder, signal: AbortSignal): Promise<Map<string, Entry>> => {
  const fields = (await readBytes(folder, LIST, signal)).toString('latin1').split('\0')
  const entries = new Map<string, Entry>()
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) {
    const [kind = '', changed = '', state = '', name = ''] = fields.slice(at, at + FIELDS)
    entries.set(name, { kind, state: `${kind} ${state}`, changedAtSeconds: Number(changed) })
  }
  return entries
}

/** Of the contents of these files, in this order. */
const digestOf = async ({ host, path }: Folder, files: Buffer, signal: AbortSignal): Promise<string> => {
  const hash = exec('xargs', '--null', '--no-run-if-empty', 'sha256sum', '--zero', '--')
  const options = { cwd: path, stdin: files, timeoutMs: COMPARING_LIMIT_MS, signal }
  return (await host.run(pipe(hash, exec('sha256sum')), options)).stdout
}

const FILES = ['find', '.', '-type', 'f'] as const

/** What has not changed since that moment, while the site goes on: false when it could not be shown to be the same. */
export const isStillSame = async (from: Folder, to: Folder, sinceSeconds: number, signal: AbortSignal) => {
  const still = exec(...FILES, '!', '-newerct', `@${sinceSeconds}`, '-print0')
  const files = await readBytes(from, still, signal)
  try {
    const [before, after] = await Promise.all([digestOf(from, files, signal), digestOf(to, files, signal)])
    return before === after
  } catch (error) {
    signal.throwIfAborted()
    // A file has gone meanwhile.
    if (error instanceof CommandFailed || error instanceof HostTimeout) return false
    throw error
  }
}

/** Every byte of these files, all of them if absent, and what all entries look like. Nobody may be writing. */
export const compareFiles = async (from: Folder, to: Folder, files: Buffer | undefined, signal: AbortSignal) => {
  const compared = files ?? (await readBytes(from, exec(...FILES, '-print0'), signal))
  const look = async (folder: Folder): Promise<string> => {
    const [digest, entries] = await Promise.all([digestOf(folder, compared, signal), listEntries(folder, signal)])
    const states = [...entries].map(([path, { state }]) => `${path}\0${state}`).toSorted()
    return `${digest} ${states.join('\0')}`
  }
  const [before, after] = await Promise.all([look(from), look(to)])
  if (before !== after)
    throw new Problem('conflict', 'The files on the new server are not the same as the original. Nothing was changed.')
}

/** By its own clock. */
export const readClock = async (host: Host): Promise<number> =>
  Number((await host.run(exec('date', '+%s'))).stdout.trim())

export const readSize = async ({ host, path }: Folder, signal: AbortSignal): Promise<number> => {
  // Files that vanish meanwhile make it end with 1.
  const { stdout } = await host.run(exec('du', '-s', '-B1', '--', path), { allowExitCodes: [1], signal })
  return Number.parseInt(stdout, 10) || 0
}
