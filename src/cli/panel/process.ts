import { isAlive, type ProcessIdentity, readProc } from '#platform/host/process-identity.ts'

const TICKS_PER_SECOND = 100

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
