import { z } from 'zod'
import { retryWhileAway } from '#features/servers/index.ts'
import { Id } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'
import { defineJob, type Step, type StepContext } from '#platform/jobs/job-type.ts'
import { namedLaneOnServer } from '#platform/jobs/lane.ts'
import { getPlugin } from '../catalog-store.ts'
import { isInstallable } from '../check-record.ts'
import { CHECK_STATUSES } from '../contract.ts'
import { syncEverywhere } from '../sync/sync-everywhere.ts'
import { changeZip, findZip, keepFiles, type ZipRow } from '../zip-store.ts'
import { type Inspected, inspectZip, removeUnpacked } from './inspect-zip.ts'

interface Input {
  zipId: string
  serverId: number
}

interface State {
  inspected: Inspected
  result: z.infer<typeof Result>
}
type Context = StepContext<Input, State>

const HALF_AN_HOUR_MS = 30 * 60_000
const NOT_SCANNED = "The malware rules didn't run: no scanner is connected."
const Result = z.strictObject({
  pluginId: z.string(),
  version: z.string(),
  status: z.enum(CHECK_STATUSES),
  files: z.number(),
  findings: z.number(),
})

const zipOf = async ({ db, input }: Context): Promise<ZipRow> => {
  const zip = await findZip(db, input.zipId)
  if (!zip) throw new Problem('not_found', 'This zip was deleted from the catalog.')
  return zip
}

const inspect: Step<Input, State> = {
  id: 'inspect',
  label: 'Unpacking and checking every file',
  async run(context) {
    const zip = await zipOf(context)
    const { slug } = await getPlugin(context.db, zip.plugin_id)
    context.state.inspected = await inspectZip(context, { serverId: context.input.serverId, zip, folder: slug })
  },
  async undo(context) {
    await removeUnpacked(context, context.input.serverId, context.jobId)
    await changeZip(context.db, context.input.zipId, { is_checking: 0 })
  },
}

const statusOf = ({ problem, findings, isScanned }: Inspected): ZipRow['status'] => {
  if (problem !== null) return 'failed'
  if (findings.length > 0) return 'flagged'
  return isScanned ? 'clean' : 'unscanned'
}

const record: Step<Input, State> = {
  id: 'record',
  label: 'Recording what was found',
  final: true,
  async run(context) {
    const { db, state, now } = context
    const zip = await zipOf(context)
    const { inspected } = state
    if (!inspected) throw new Error('the zip was not inspected')
    const changes = {
      status: statusOf(inspected),
      is_checking: 0,
      files: inspected.files.length,
      findings: JSON.stringify(inspected.findings),
      problem: inspected.problem ?? (inspected.isScanned ? null : NOT_SCANNED),
      checked_at: now(),
    }
    await db.transaction().execute(async on => {
      await keepFiles(on, zip.id, inspected.files)
      await changeZip(on, zip.id, changes)
    })
    context.say(changes.problem ?? `${changes.files} files checked, ${inspected.findings.length} findings.`)
    if (isInstallable({ ...zip, ...changes })) await syncEverywhere(context, `check-${context.jobId}`)
    const { plugin_id: pluginId, version } = zip
    state.result = {
      pluginId,
      version,
      status: changes.status,
      files: changes.files,
      findings: inspected.findings.length,
    }
  },
}

export const pluginZipCheck = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'plugin.zipCheck',
  label: 'Check a plugin zip',
  description:
    'Unpacks a zip of the catalog in a throwaway container without a network, records the hash of each file and scans for malware.',
  category: 'wordpress',
  timeoutMs: HALF_AN_HOUR_MS,
  input: z.strictObject({ zipId: Id, serverId: z.number() }),
  result: Result,
  target: ({ serverId }) => ({ serverId }),
  lanes: ({ serverId }) => [namedLaneOnServer('scan', serverId)],
  steps: [inspect, record].map(retryWhileAway),
  withdraw: (db, { zipId }) => changeZip(db, zipId, { is_checking: 0 }),
  finish: ({ result }) => {
    if (!result) throw new Error('nothing was recorded')
    return result
  },
})
