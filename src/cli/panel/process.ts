import { readFileSync } from 'node:fs'

/** One run of one process: the kernel reuses a pid, but not together with its start time and boot. */
export interface ProcessIdentity {
  pid: number
  /** When it started, in clock ticks since the machine did. */
  startTicks: number
  bootId: string
}

const TICKS_PER_SECOND = 100

const readProc = (path: string): string | undefined => {
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

export const uptimeSeconds = (known: ProcessIdentity): number =>
  Math.max(0, Number(readProc('uptime')?.split(' ')[0] ?? 0) - known.startTicks / TICKS_PER_SECOND)

export const nameOf = (pid: number): string => readProc(`${pid}/comm`)?.trim() ?? 'another program'

/** Asks it to stop, waits, and ends it when it does not; says which of the two it took. */
export const stopProcess = async (known: ProcessIdentity, graceMs: number): Promise<'stopped' | 'killed'> => {
  if (isAlive(known)) process.kill(known.pid, 'SIGTERM')
  if (await hasEnded(known, graceMs)) return 'stopped'
  process.kill(known.pid, 'SIGKILL')
  await hasEnded(known, 5000)
  return 'killed'
}

const hasEnded = async (known: ProcessIdentity, limitMs: number): Promise<boolean> => {
  const deadline = Date.now() + limitMs
  while (isAlive(known)) {
    if (Date.now() >= deadline) return false
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return true
}
