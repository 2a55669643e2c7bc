import { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import type { Argv } from '#platform/host/command.ts'
import { HostTimeout } from '#platform/host/errors.ts'
import type { OnChunk } from '#platform/host/host.ts'
import { ask } from '../folder/ask.ts'
import { runIn, type SiteFolder } from '../folder/open-folder.ts'
import { pump } from './pump.ts'

type OnCopied = (copiedBytes: number) => void

const CHANGED_WHILE_READ = 1
const COMPARING_LIMIT_MS = 30 * 60_000
const COPYING_LIMIT_MS = 6 * 3_600_000
/** Times to the nanosecond are only in this format. */
const PACK = ['tar', '--create', '--format=posix', '--numeric-owner', '--sparse', '--file=-'] as const
const UNPACK: Argv = [
  'tar',
  '--extract',
  '--numeric-owner',
  '--same-owner',
  '--same-permissions',
  '--delay-directory-restore',
  '--file=-',
]

/** All of it, into a folder that is emptied first. The site may be writing in the meantime. */
export const copyAll = async (
  from: SiteFolder,
  to: SiteFolder,
  signal: AbortSignal,
  onCopied?: OnCopied,
): Promise<void> => {
  await runIn(to, ['find', '.', '-mindepth', '1', '-delete'], { signal, timeoutMs: COMPARING_LIMIT_MS })
  const pack: Argv = [...PACK, '--ignore-failed-read', '--warning=no-file-changed', '.']
  let copiedBytes = 0
  const onChunk = (chunk: Buffer) => {
    copiedBytes += chunk.length
    onCopied?.(copiedBytes)
  }
  await transfer(from, to, { pack, allowExitCodes: [CHANGED_WHILE_READ], onChunk }, signal)
}

interface Packing {
  readonly pack: Argv
  readonly stdin?: Buffer
  readonly allowExitCodes?: readonly number[]
  readonly onChunk?: (chunk: Buffer) => void
}

const transfer = (
  from: SiteFolder,
  to: SiteFolder,
  { pack, stdin, allowExitCodes, onChunk }: Packing,
  signal: AbortSignal,
) =>
  pump(
    (write, stop) => {
      const onStdout = (chunk: Buffer) => {
        onChunk?.(chunk)
        return write(chunk)
      }
      const limits = { signal: stop, timeoutMs: COPYING_LIMIT_MS, allowExitCodes }
      return runIn(from, pack, { ...limits, onStdout, ...(stdin && { stdin }) })
    },
    (stdin, stop) => runIn(to, UNPACK, { stdin, signal: stop, timeoutMs: COPYING_LIMIT_MS }),
    signal,
  )

interface Changed {
  readonly count: number
  /** Paths of what was copied. */
  readonly files: Buffer
}

/**
 * What is different, and what has changed since that moment even if it looks the same. No one may be writing on either
 * side. Whatever is of another kind is removed first, so that no path leads through a link.
 */
export const copyChanged = async (
  from: SiteFolder,
  to: SiteFolder,
  sinceSeconds: number,
  signal: AbortSignal,
): Promise<Changed> => {
  const [wanted, there] = await Promise.all([listEntries(from, signal), listEntries(to, signal)])
  const removed = [...there].filter(([path, { kind }]) => wanted.get(path)?.kind !== kind).map(([path]) => path)
  const remove: Argv = ['xargs', '--null', '--no-run-if-empty', 'rm', '-rf', '--']
  await runIn(to, remove, { stdin: listed(removed), signal, timeoutMs: COMPARING_LIMIT_MS })
  const changed = [...wanted].filter(
    ([path, entry]) => entry.changedAtSeconds >= sinceSeconds || there.get(path)?.state !== entry.state,
  )
  if (changed.length > 0) {
    const pack: Argv = [...PACK, '--null', '--no-recursion', '--verbatim-files-from', '--files-from=-']
    await transfer(from, to, { pack, stdin: listed(changed.map(([path]) => path)) }, signal)
  }
  const files = changed.filter(([, { kind }]) => kind === 'f').map(([path]) => `${path}\0`)
  return { count: changed.length + removed.length, files: Buffer.from(files.join(''), 'latin1') }
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
const LIST: Argv = [
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
]
const FIELDS = 4

/** All that a command says, which may be no text. */
const readBytes = async (folder: SiteFolder, argv: Argv, signal: AbortSignal): Promise<Buffer> => {
  const chunks: Buffer[] = []
  const onStdout: OnChunk = chunk => void chunks.push(chunk)
  await runIn(folder, argv, { onStdout, signal, timeoutMs: COMPARING_LIMIT_MS })
  return Buffer.concat(chunks)
}

const listEntries = async (folder: SiteFolder, signal: AbortSignal): Promise<Map<string, Entry>> => {
  const fields = (await readBytes(folder, LIST, signal)).toString('latin1').split('\0')
  const entries = new Map<string, Entry>()
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) {
    const [kind = '', changed = '', state = '', name = ''] = fields.slice(at, at + FIELDS)
    entries.set(name, { kind, state: `${kind} ${state}`, changedAtSeconds: Number(changed) })
  }
  return entries
}

const Digest = z.object({ digest: z.string() })

/** Of the contents of these files, in this order. Refused when one of them is not a regular file any more. */
const digestOf = async (folder: SiteFolder, files: Buffer, signal: AbortSignal): Promise<string> => {
  const options = { input: files, timeoutMs: COMPARING_LIMIT_MS, signal }
  return (await ask(folder, { op: 'digest' }, Digest, options)).digest
}

const FILES: Argv = ['find', '.', '-type', 'f']
const NAMES = ['-printf', '%P\\0']

/** What has not changed since that moment, while the site continues: false when it could not be shown to be the same. */
export const isStillSame = async (from: SiteFolder, to: SiteFolder, sinceSeconds: number, signal: AbortSignal) => {
  const files = await readBytes(from, [...FILES, '!', '-newerct', `@${sinceSeconds}`, ...NAMES], signal)
  try {
    const [before, after] = await Promise.all([digestOf(from, files, signal), digestOf(to, files, signal)])
    return before === after
  } catch (error) {
    signal.throwIfAborted()
    // A file has gone in the meantime.
    if (error instanceof Problem || error instanceof HostTimeout) return false
    throw error
  }
}

/** Every byte of these files, all of them if absent, and what all entries look like. No one may be writing. */
export const compareFiles = async (
  from: SiteFolder,
  to: SiteFolder,
  files: Buffer | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const compared = files ?? (await readBytes(from, [...FILES, ...NAMES], signal))
  const look = async (folder: SiteFolder): Promise<string> => {
    const [digest, entries] = await Promise.all([digestOf(folder, compared, signal), listEntries(folder, signal)])
    const states = [...entries].map(([path, { state }]) => `${path}\0${state}`).toSorted()
    return `${digest} ${states.join('\0')}`
  }
  const [before, after] = await Promise.all([look(from), look(to)])
  if (before !== after)
    throw new Problem('conflict', 'The files on the new server differ from the original. Nothing was changed.')
}

/** By its own clock. */
export const readClock = async (folder: SiteFolder, signal: AbortSignal): Promise<number> =>
  Number((await runIn(folder, ['date', '+%s'], { signal })).stdout.trim())

export const readSize = async (folder: SiteFolder, signal: AbortSignal): Promise<number> => {
  // Files that vanish in the meantime make it end with 1.
  const { stdout } = await runIn(folder, ['du', '-s', '-B1', '.'], {
    allowExitCodes: [1],
    signal,
    timeoutMs: COMPARING_LIMIT_MS,
  })
  return Number.parseInt(stdout, 10) || 0
}
