import type { Scope } from '#platform/scope.ts'
import { issuanceFor } from './issuance-for.ts'
import { renewDue } from './renew-due.ts'

const LOOK_EVERY_MS = 60_000

/** Looks every minute, since short-lived certificates cannot wait for the night; never twice at once. */
export const startRenewer = (scope: Scope) => {
  const stopping = new AbortController()
  let underWay: Promise<unknown> | undefined
  const look = async () => {
    try {
      await renewDue(scope, { signal: stopping.signal, issuanceFor: serverId => issuanceFor(scope, serverId) })
    } catch (error) {
      if (!stopping.signal.aborted) scope.log.error({ err: error }, 'could not renew certificates')
    } finally {
      underWay = undefined
    }
  }
  const timer = setInterval(() => {
    underWay ??= look()
  }, LOOK_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await underWay
    },
  }
}
