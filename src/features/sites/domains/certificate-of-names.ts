import { Problem } from '#platform/contract/problem.ts'
import { describeFailure } from '#platform/jobs/failure.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { ensureSiteCertificate } from '../serve-site.ts'
import type { SiteRow } from '../site-store.ts'
import { missingRecords, recordsToSet } from './missing-records.ts'

/** A certificate for these names, or a reason that says which record to fix. */
export const obtainFor = async (work: StepContext, site: SiteRow, names: readonly string[]): Promise<void> => {
  try {
    await ensureSiteCertificate(work, site, names)
  } catch (error) {
    work.signal.throwIfAborted()
    const { message: reason } = describeFailure(error)
    const advice = recordsToSet(await missingRecords(work, site.server_id, names))
    const message = `Couldn't get a certificate, so nothing was changed. ${reason}. ${advice}`.trim()
    throw new Problem('conflict', message, null, { cause: error })
  }
}
