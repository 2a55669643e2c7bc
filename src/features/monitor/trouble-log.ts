import type { Log } from '#platform/log/log.ts'

export interface TroubleLog {
  /** Runs it. Says once that it fails and once that it works again, however often it fails in between. */
  watch(what: string, work: () => Promise<void>): Promise<boolean>
}

export const troubleLog = (log: Log, isStopping: () => boolean): TroubleLog => {
  const failing = new Set<string>()
  return {
    watch: async (what, work) => {
      try {
        await work()
        if (failing.delete(what)) log.info(`${what} works again`)
        return true
      } catch (error) {
        if (!isStopping() && !failing.has(what)) {
          failing.add(what)
          log.warn({ err: error }, `${what} failed`)
        }
        return false
      }
    },
  }
}
