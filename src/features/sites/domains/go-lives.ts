import { nextAttempt } from '#features/certificates/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { getSite } from '../site-store.ts'
import { changeGoLive, type GoLiveRow, listDueGoLives, namesIn } from './go-live-store.ts'
import { missingRecords, recordsToSet } from './missing-records.ts'
import { siteUpdateDomains } from './site.update-domains.ts'

const LOOK_EVERY_MS = 60_000

/** Sites that wait for DNS go live once it points here; a failed attempt is repeated after growing pauses. */
export const attemptGoLives = async (scope: Scope): Promise<void> => {
  for (const row of await listDueGoLives(scope.db, scope.now()))
    await attempt(scope, row).catch((error: unknown) => {
      scope.log.warn({ err: error, site: row.site_slug }, 'a site could not go live')
    })
}

const attempt = async (scope: Scope, row: GoLiveRow): Promise<void> => {
  const { db } = scope
  const { slug, server_id: serverId } = await getSite(db, row.site_slug)
  const hostnames = namesIn(row)
  const missing = await missingRecords(scope, serverId, hostnames)
  if (missing.length > 0) return changeGoLive(db, slug, { problem: recordsToSet(missing) })
  try {
    await scope.jobs.enqueue(siteUpdateDomains, { slug, serverId, hostnames, domainMode: 'live' })
  } catch (error) {
    // A job of the site comes first; the next look finds it done.
    if (error instanceof Problem && error.code === 'job_conflict') return
    throw error
  }
  const attempts = row.attempts + 1
  const problem = 'DNS points to the server. The site goes live as soon as it has a certificate.'
  await changeGoLive(db, slug, { problem, attempts, next_attempt_at: nextAttempt(attempts, scope.now()) })
}

/** Looks every minute; never twice at once. */
export const startGoLives = (scope: Scope) => {
  let underWay: Promise<void> | undefined
  const look = () =>
    attemptGoLives(scope)
      .catch((error: unknown) => scope.log.error({ err: error }, 'sites that wait for DNS could not be looked at'))
      .finally(() => {
        underWay = undefined
      })
  const timer = setInterval(() => {
    underWay ??= look()
  }, LOOK_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await underWay
    },
  }
}
