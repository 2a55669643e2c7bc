import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { cleanLine } from '#platform/log/clean-line.ts'

export interface Disk {
  readonly filesystem: string
  readonly totalBytes: number
  readonly freeBytes: number
}

const LONGEST = 200
const NOT_ALL_EXIST = 1

/** The disk that a folder is on, or will be on once it is made: that of the nearest parent that exists. */
export const readDisk = async (host: Host, folder: string, signal?: AbortSignal): Promise<Disk | null> => {
  const { stdout } = await host.run(exec('df', '-B1', '--output=size,avail,source', '--', ...parentsOf(folder)), {
    timeoutMs: 15_000,
    maxOutputBytes: 65_536,
    allowExitCodes: [NOT_ALL_EXIST],
    signal,
  })
  return parseDisk(stdout)
}

/** The folder itself first. */
const parentsOf = (folder: string): string[] => {
  const parts = folder.split('/').filter(part => part !== '')
  return [...parts.keys(), parts.length].map(count => `/${parts.slice(0, parts.length - count).join('/')}`)
}

export const parseDisk = (output: string): Disk | null => {
  const match = output.split('\n')[1]?.match(/^ *(\d{1,15}) +(\d{1,15}) +(.+)$/)
  const [, total, free, filesystem] = match ?? []
  if (total === undefined || free === undefined || filesystem === undefined) return null
  return { filesystem: cleanLine(filesystem, LONGEST), totalBytes: Number(total), freeBytes: Number(free) }
}
