import { describeFailure } from '#platform/jobs/failure.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { ensureSiteCertificate } from '../serve-site.ts'
import { changeSite, type SiteRow } from '../site-store.ts'
import { changeGoLive, deleteGoLive, findGoLive, namesIn } from './go-live-store.ts'
import { replaceHostnames } from './hostname-store.ts'
import { missingRecords, recordsToSet } from './missing-records.ts'

/** No one waits longer than this for a certificate while a site is being created. */
const CERTIFICATE_MS = 60_000

/** A new site begins under its own names if DNS points them here and a certificate can be had; else they wait. */
export const beginLive = async (context: StepContext, site: SiteRow): Promise<void> => {
  const { db, say } = context
  const plan = await findGoLive(db, site.slug)
  if (!plan) return
  const names = namesIn(plan)
  const problem = await whyNotYet(context, site, names)
  if (problem === null) {
    await replaceHostnames(db, site.slug, { serving: names })
    await changeSite(db, site.slug, { domain_mode: 'live' })
    return deleteGoLive(db, site.slug)
  }
  await changeGoLive(db, site.slug, { problem })
  say(`${problem} Until then the site is at its dev name. It goes live by itself.`)
}

const whyNotYet = async (context: StepContext, site: SiteRow, names: readonly string[]): Promise<string | null> => {
  const missing = await missingRecords(context, site.server_id, names)
  if (missing.length > 0) return recordsToSet(missing)
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(CERTIFICATE_MS)])
  try {
    await ensureSiteCertificate({ ...context, signal }, site, names)
    return null
  } catch (error) {
    context.signal.throwIfAborted()
    return `${describeFailure(error).message}.`
  }
}
