import { exec } from '#platform/host/command.ts'
import { FileNotFound, HostTimeout } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { readDisk } from './host/read-disk.ts'

/** Copies must leave the disk usable for everything else. */
const RESERVE_BYTES = 1024 ** 3
/** A person waits for the answer, and the browser gives up after half a minute. */
const SIZE_LIMIT_MS = 25_000
const NEVER_BELOW = ['/proc', '/sys', '/dev', '/run', '/boot', '/etc', '/tmp', '/var/lib/docker']

/** Where backups are, what they take, and whether they could move to another folder. */
export const readStorage = async (host: Host, backupRoot: string, path?: string, limitMs = SIZE_LIMIT_MS) => {
  const [current, usedBytes] = await Promise.all([readFolder(host, backupRoot), readSize(host, backupRoot, limitMs)])
  return { backupRoot: current, usedBytes, candidate: path ? await judge(host, backupRoot, path, usedBytes) : null }
}

const readFolder = async (host: Host, path: string) => {
  const disk = await readDisk(host, path)
  return { path, filesystem: null, totalBytes: null, freeBytes: null, ...disk }
}

/** Null where there are more files than could be counted in time; nothing where the folder does not exist yet. */
export const readSize = async (host: Host, path: string, timeoutMs: number): Promise<number | null> => {
  try {
    const options = { timeoutMs, maxOutputBytes: 65_536, allowExitCodes: [1] }
    const { stdout } = await host.run(exec('du', '-sB1', '--', path), options)
    const [, bytes = '0'] = stdout.match(/^(\d{1,15})\t/) ?? []
    return Number(bytes)
  } catch (error) {
    if (error instanceof HostTimeout) return null
    throw error
  }
}

const judge = async (host: Host, from: string, to: string, usedBytes: number | null) => {
  const folder = await readFolder(host, to)
  const problem = samePlace(from, to) ?? (await occupied(host, to)) ?? tooSmall(folder.freeBytes, usedBytes ?? 0)
  return { ...folder, ok: problem === null, problem }
}

const isBelow = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`)

const samePlace = (from: string, to: string): string | null => {
  if (isBelow(to, from) || isBelow(from, to))
    return 'One folder is inside the other. Choose a folder outside the current one.'
  const system = NEVER_BELOW.find(folder => isBelow(to, folder))
  return system ? `${system} belongs to the system. Choose a folder on a disk, such as /mnt/disk/backups.` : null
}

const occupied = async (host: Host, to: string): Promise<string | null> => {
  try {
    const { kind } = await host.stat(to)
    if (kind !== 'directory') return 'This path is not a folder.'
    const entries = await host.listDir(to)
    return entries.some(({ name }) => name !== 'lost+found')
      ? 'The folder is not empty. Choose an empty or new one.'
      : null
  } catch (error) {
    if (error instanceof FileNotFound) return null
    throw error
  }
}

const tooSmall = (freeBytes: number | null, usedBytes: number): string | null =>
  freeBytes !== null && freeBytes > usedBytes + RESERVE_BYTES
    ? null
    : 'Not enough space for the backups plus 1 GiB. Choose a larger disk.'
