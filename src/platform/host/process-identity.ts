import { readFileSync } from 'node:fs'

/** One run of one process: the kernel reuses a pid, but not together with its start time and boot. */
export interface ProcessIdentity {
  pid: number
  /** When it started, in clock ticks since the machine did. */
  startTicks: number
  bootId: string
}

export const readProc = (path: string): string | undefined => {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return undefined
  }
}

/** The process as it is now, or undefined when it has ended (a zombie has). */
export const identify = (pid: number): ProcessIdentity | undefined => {
  // The name in brackets may hold anything, so the fields are counted from its end.
  const fields = readProc(`${pid}/stat`)?.split(') ').at(-1)?.split(' ')
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return undefined
  return { pid, startTicks: Number(fields[19]), bootId: readProc('sys/kernel/random/boot_id')?.trim() ?? '' }
}

export const isAlive = (known: ProcessIdentity): boolean => {
  const now = identify(known.pid)
  return now?.startTicks === known.startTicks && now.bootId === known.bootId
}

/** Who left its identity in a file, if the file is whole. */
export const holderOf = (file: string): ProcessIdentity | undefined => {
  try {
    const holder: ProcessIdentity = JSON.parse(readFileSync(file, 'utf8'))
    return holder
  } catch {
    return undefined
  }
}
