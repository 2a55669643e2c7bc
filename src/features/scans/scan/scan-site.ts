import { z } from 'zod'
import type { SiteRow } from '#features/sites/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import { newId } from '#platform/db/id.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { type FindingRow, listFindings } from '../findings/finding-store.ts'
import { effectivePolicy, findPolicy } from '../policy/policy-store.ts'
import { quarantine } from '../quarantine/quarantine.ts'
import { applyScan } from './apply-scan.ts'
import { type Scanned, scanFiles } from './scan-files.ts'
import { findScan, insertScan, listScans } from './scan-store.ts'

export const Result = z.strictObject({
  files: z.number(),
  filesRead: z.number(),
  found: z.number(),
  fresh: z.number(),
  quarantined: z.number(),
})

export interface ScanState {
  scanId: string
  startedAt: number
  /** Files that are moved out of the site: the id of each in quarantine, by its finding. */
  moves: Record<string, string>
  result: z.infer<typeof Result>
}

type Context = StepContext<unknown, ScanState>

/** Reads the site, keeps what was found, and moves out of the site what should not stay there. */
export const scanSite = async (context: Context, site: SiteRow): Promise<z.infer<typeof Result>> => {
  const { db, state, now, save } = context
  state.scanId ??= newId(now())
  state.startedAt ??= now()
  await save()
  const done = await findScan(db, state.scanId)
  if (done)
    return {
      files: done.files,
      filesRead: done.files_read,
      found: done.found,
      fresh: done.fresh,
      quarantined: done.quarantined,
    }
  const [last] = await listScans(db, site.slug)
  const wasClean = last?.is_complete === 1 && (await listFindings(db, site.slug, 'open')).length === 0
  const scanned = await scanFiles(context, site, wasClean)
  const fresh = await applyScan(db, site.slug, scanned, now())
  const quarantined = await moveOut(context, site)
  const result = {
    files: scanned.summary.files,
    filesRead: scanned.summary.read,
    found: scanned.found.length,
    fresh,
    quarantined,
  }
  await record(context, site, scanned, result)
  context.say(`${result.files} files, ${result.filesRead} read, ${result.found} findings, ${fresh} of them new.`)
  return result
}

/** A file that WordPress, a plugin or the panel needs is not moved: the site would break. It is reinstalled instead. */
const mayLeave = ({ kind }: FindingRow, others: readonly FindingRow[]) =>
  (kind === 'malware' || kind === 'unknown') &&
  others.every(other => other.kind !== 'changed' && other.kind !== 'panel')

const moveOut = async (context: Context, site: SiteRow): Promise<number> => {
  const { db, state, now, save } = context
  const { onFinding } = await effectivePolicy(context, await findPolicy(db, site.slug))
  if (onFinding === 'report') return Object.keys(state.moves ?? {}).length
  state.moves ??= {}
  const open = await listFindings(db, site.slug, 'open')
  const byPath = Map.groupBy(open, ({ path }) => path)
  for (const [path, [worst, ...others]] of byPath) {
    const isMeant =
      worst && (worst.severity === 'confirmed' || (onFinding === 'quarantine-all' && worst.severity === 'suspicious'))
    if (!worst || !isMeant) continue
    if (!mayLeave(worst, others)) {
      context.say('A file that the site needs has findings. Reinstall what it belongs to.')
      continue
    }
    const id = (state.moves[worst.id] ??= newId(now()))
    await save()
    await quarantine(context, site, worst, { id, by: 'Malware scan' }).catch((error: unknown) => {
      if (!(error instanceof KnownError)) throw error
      delete state.moves?.[worst.id]
      context.say('A file could not be moved to quarantine.')
      context.output('stderr', `${path}: ${error.message}`)
    })
  }
  return Object.keys(state.moves).length
}

const record = async (
  { db, state, now, jobId }: Context,
  site: SiteRow,
  { summary, rulesVersion, notes }: Scanned,
  result: z.infer<typeof Result>,
): Promise<void> => {
  const leftOut = Object.entries(summary.leftOut).map(([reason, { files, example }]) => ({ reason, files, example }))
  await insertScan(db, {
    id: state.scanId ?? newId(now()),
    site_slug: site.slug,
    job_id: jobId,
    started_at: state.startedAt ?? now(),
    finished_at: now(),
    files: result.files,
    known_good: summary.knownGood,
    unchanged: summary.unchanged,
    files_read: result.filesRead,
    bytes_read: summary.bytes,
    found: result.found,
    fresh: result.fresh,
    quarantined: result.quarantined,
    rules_version: rulesVersion,
    is_complete: Number(summary.complete),
    left_out: JSON.stringify(leftOut.slice(0, 20)),
    notes: JSON.stringify(notes),
  })
}
