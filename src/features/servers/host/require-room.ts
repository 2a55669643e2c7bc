import { Problem } from '#platform/contract/problem.ts'
import type { Host } from '#platform/host/host.ts'
import { ROOT } from '../paths.ts'
import { readDisk } from './read-disk.ts'

const MIB = 1024 ** 2
/** What a server keeps for itself: its database must never meet a full disk. */
const RESERVE_BYTES = 1024 ** 3

interface Room {
  /** Any on the disk in question; that of the sites if absent. */
  readonly folder?: string
  readonly neededBytes: number
  readonly signal?: AbortSignal | undefined
}

/** Throws before anything is written that the disk has no room for. */
export const requireRoom = async (host: Host, { folder = ROOT, neededBytes, signal }: Room): Promise<void> => {
  const disk = await readDisk(host, folder, signal)
  if (!disk || disk.freeBytes >= neededBytes + RESERVE_BYTES) return
  throw new Problem(
    'conflict',
    `${host.name} has ${Math.floor(disk.freeBytes / MIB)} MiB left. This needs ${Math.ceil(neededBytes / MIB)} MiB, and the server keeps ${RESERVE_BYTES / MIB} MiB for itself. Free some space, then try again.`,
    { reason: 'disk_full', freeBytes: disk.freeBytes, neededBytes },
  )
}
