import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header, type Pack, pack } from 'tar-stream'
import { exec } from '#platform/host/command.ts'
import { HostError } from '#platform/host/errors.ts'
import type { Host, Owner } from '#platform/host/host.ts'
import { UnsafeArchive } from './errors.ts'

const TOP = 'wordpress/'
const MAX_ENTRIES = 50_000
const MAX_UNPACKED_BYTES = 1024 ** 3
const UNPACK_MS = 10 * 60_000
/** No control character, no backslash, no empty part, and no part that is `.` or `..`. */
const SAFE_PATH = /^(?:(?!\.{1,2}(?:\/|$))[^/\\\p{Cc}]+(?:\/(?!$)|$))+$/u

export interface Unpacked {
  /** On the panel's disk. */
  readonly archive: string
  /** An empty folder on the host that becomes the root of the site. */
  readonly folder: string
  readonly owner: Owner
  readonly signal?: AbortSignal | undefined
}

/**
 * Unpacks an archive of WordPress on a host. The host gets a stream recreated from what was checked: plain files and
 * folders below the top folder, with modes and an owner of the panel's choice.
 */
export const unpackCore = async (host: Host, { archive, folder, owner, signal }: Unpacked): Promise<void> => {
  const checked = pack()
  const filled = fill(checked, archive, owner)
  let failure: unknown
  filled.catch(error => {
    failure = error
    checked.destroy(error as Error)
  })
  const words = [
    '--extract',
    '--numeric-owner',
    '--same-owner',
    '--same-permissions',
    '--file=-',
    '--directory',
  ] as const
  try {
    await host.run(exec('tar', ...words, folder), { stdin: Readable.from(checked), timeoutMs: UNPACK_MS, signal })
  } catch (error) {
    signal?.throwIfAborted()
    if (failure === undefined || failure instanceof UnsafeArchive || error instanceof HostError) throw error
    throw new UnsafeArchive("it can't be read", failure)
  } finally {
    checked.destroy()
  }
}

const fill = async (checked: Pack, archive: string, owner: Owner): Promise<void> => {
  const entries = extract()
  const read = pipeline(createReadStream(archive), createGunzip(), entries)
  // The loop sees the same failure.
  read.catch(() => {})
  // PHP compares times to tell whether a compiled file is still right, so two versions must not share one.
  const mtime = new Date()
  const folders = new Set<string>()
  let leftEntries = MAX_ENTRIES
  let leftBytes = MAX_UNPACKED_BYTES
  for await (const entry of entries) {
    const header = checkedHeader(entry.header, owner, mtime)
    leftEntries -= 1
    leftBytes -= header?.size ?? 0
    if (leftEntries < 0 || leftBytes < 0) throw new UnsafeArchive('it is much larger than a release')
    for (const name of foldersOf(header)) {
      if (!folders.has(name)) checked.entry({ name, type: 'directory', mode: 0o755, mtime, ...owner })
      folders.add(name)
    }
    if (header?.type === 'file') await pipeline(entry, checked.entry(header))
    else entry.resume()
  }
  await read
  checked.finalize()
}

/** Those it is in and, for a folder, itself: an archive may leave them out, and they must belong to the owner too. */
const foldersOf = (header: ReturnType<typeof checkedHeader>): string[] => {
  if (header === undefined) return []
  const parts = header.name.split('/')
  const depth = header.type === 'directory' ? parts.length : parts.length - 1
  return Array.from({ length: depth }, (_, index) => parts.slice(0, index + 1).join('/'))
}

/** Undefined for the top folder itself. */
const checkedHeader = ({ name, type, size }: Header, owner: Owner, mtime: Date) => {
  const path = name.endsWith('/') ? name.slice(0, -1) : name
  const shown = JSON.stringify(name.slice(0, 200))
  if (type !== 'file' && type !== 'directory') throw new UnsafeArchive(`${shown} is a ${type}`)
  if (`${path}/` === TOP) return undefined
  const below = path.slice(TOP.length)
  if (!path.startsWith(TOP) || !SAFE_PATH.test(below)) throw new UnsafeArchive(`${shown} points outside of it`)
  return { name: below, type, size: type === 'file' ? size : 0, mode: 0o644, mtime, ...owner } as const
}
