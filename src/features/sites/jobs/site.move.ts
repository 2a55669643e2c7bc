import { z } from 'zod'
import { findContainer, pauseContainer, stopContainer, unpauseContainer } from '#drivers/docker/containers.ts'
import { copyCertificate, dockerOf, patient, ROOT } from '#features/servers/index.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { SITE_PORT } from '../container.ts'
import { awaitQuiet } from '../move/await-quiet.ts'
import { copyChangedTables, copyDatabase } from '../move/copy-database.ts'
import { compareFiles, copyAll, copyChanged, type Folder, isStillSame, readClock } from '../move/copy-files.ts'
import { changePlaces, copyOf, deleteCopy, findCopy, getCopy, reserveCopy, setStage } from '../move/copy-store.ts'
import { describeRecords } from '../move/dns.ts'
import { refuseMove } from '../move/refuse-move.ts'
import { certificatesOf, removeCertificates } from '../move/remove-copy.ts'
import { withinHold } from '../move/within-hold.ts'
import { siteName, siteNetwork } from '../network.ts'
import { htmlFolder, siteFolder } from '../places.ts'
import { confirmAnswer } from '../probe.ts'
import { bringImageFor, ensureSiteRuns, removeSiteContainer } from '../run-site.ts'
import { serveSites } from '../serve-site.ts'
import { dropSiteDatabase } from '../site-database.ts'
import { removeFiles } from '../site-files.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { listHostnames, type SiteRow } from '../site-store.ts'

/** The other server is the one it moves to. */
interface Input extends SiteInput {
  otherServerId: number
}
interface State {
  /** By the clock of the old server, before the first copy of the files began. */
  copiedAtSeconds: number
  /** Whatever has not changed since then is known to be the same. */
  isCompared: boolean
  heldAt: number
  heldMs: number
}
type Context = StepContext<Input, State>
type MoveStep = Step<Input, State>

/** Nobody asks it by then. */
const STOP_TIMEOUT_SECONDS = 30

const Result = z.strictObject({
  from: z.number(),
  to: z.number(),
  heldMs: z.number().describe('how long visitors had to wait'),
})

/** The site as it is now, and as it will be. */
const both = async (context: Context) => {
  const site = await siteOf(context)
  return { site, copy: copyOf(site, await getCopy(context.db, site.slug)) }
}

/** With the copy that was being made, if any: one that is parked belongs to an earlier move. */
const ifCopied = (act: (context: Context, copy: SiteRow, site: SiteRow) => Promise<void>) =>
  ifThere<Input, State>(async (context, site) => {
    const row = await findCopy(context.db, site.slug)
    if (row && row.server_id === context.input.otherServerId) await act(context, copyOf(site, row), site)
  })

const folderOf = ({ hosts }: Context, { slug, server_id }: SiteRow): Folder => ({
  host: hosts.get(server_id),
  path: htmlFolder(slug),
})

const prepare: MoveStep = {
  name: 'Looking at both servers',
  async run(context) {
    const { db, input, now } = context
    await refuseMove(context, await siteOf(context), input)
    await reserveCopy(db, input.slug, input.otherServerId, now())
    await bringImageFor(context, (await both(context)).copy)
  },
  undo: ifCopied(({ db }, { slug }) => deleteCopy(db, slug)),
}

const files: MoveStep = {
  name: 'Copying the files',
  async run(context) {
    const { site, copy } = await both(context)
    const [from, to] = [folderOf(context, site), folderOf(context, copy)]
    await to.host.makeDir(siteFolder(site.slug), { mode: 0o711 })
    context.state.copiedAtSeconds = await readClock(from.host)
    await copyAll(from, to, context.signal)
    context.state.isCompared = await isStillSame(from, to, context.state.copiedAtSeconds, context.signal)
  },
  undo: ifCopied((context, copy) => removeFiles(context, copy)),
}

const database: MoveStep = {
  name: 'Copying the database',
  async run(context) {
    const { site, copy } = await both(context)
    await copyDatabase(context, site, copy)
  },
  undo: ifCopied((context, copy) => dropSiteDatabase(context, copy)),
}

const arrive: MoveStep = {
  name: 'Making it ready on the new server',
  async run(context) {
    const { site, copy } = await both(context)
    for (const row of await certificatesOf(context, site))
      await copyCertificate(context, row, { serverId: copy.server_id, rootDir: ROOT })
    if (site.status === 'running') await standStill(context, copy)
    await setStage(context.db, site.slug, 'arrived')
    await serveSites(context, copy.server_id)
  },
  undo: ifCopied(async (context, copy) => {
    await setStage(context.db, copy.slug, 'copying')
    await serveSites(context, copy.server_id)
    // Visitors who wait at it are led back by the old server.
    await removeSiteContainer(context, copy)
    await removeCertificates(context, copy)
  }),
}

/** Started, seen to be well, and then stopped in the middle: whoever connects is taken and waits. */
const standStill = async (context: Context, copy: SiteRow): Promise<void> => {
  const docker = dockerOf(context.hosts.get(copy.server_id))
  const name = siteName(copy.slug)
  if ((await findContainer(docker, name))?.state === 'paused') return
  await ensureSiteRuns(context, copy)
  await pauseContainer(docker, name)
}

const hold: MoveStep = {
  name: 'Letting visitors wait',
  async run(context) {
    const { site } = await both(context)
    if (site.status !== 'running') return
    context.state.heldAt ??= context.now()
    await setStage(context.db, site.slug, 'held')
    await serveSites(context, site.server_id)
    const host = context.hosts.get(site.server_id)
    await awaitQuiet(host, siteNetwork(site.slug, site.network_index).address, SITE_PORT, context.signal)
    await stopContainer(dockerOf(host), siteName(site.slug), { timeoutSeconds: STOP_TIMEOUT_SECONDS })
  },
  undo: ifCopied(async (context, _, site) => {
    if (site.status !== 'running') return
    await ensureSiteRuns(context, site)
    await setStage(context.db, site.slug, 'arrived')
    await serveSites(context, site.server_id)
  }),
}

const settle: MoveStep = {
  name: 'Copying what has changed since',
  run: context =>
    withinHold(context, async signal => {
      const { site, copy } = await both(context)
      const [from, to] = [folderOf(context, site), folderOf(context, copy)]
      const [{ count, files: changed }, tables] = await Promise.all([
        copyChanged(from, to, context.state.copiedAtSeconds ?? 0, signal),
        copyChangedTables({ ...context, signal }, site, copy),
      ])
      await compareFiles(from, to, context.state.isCompared ? changed : undefined, signal)
      context.say(`${count} files and ${tables} tables had changed. Both copies are the same to the last byte.`)
    }),
}

const change: MoveStep = {
  name: 'Changing over',
  final: true,
  async run(context) {
    const { db, input, state, hosts, now } = context
    await changePlaces(db, input.slug, now())
    const docker = dockerOf(hosts.get(input.otherServerId))
    const found = await findContainer(docker, siteName(input.slug))
    if (found?.state === 'paused') await unpauseContainer(docker, siteName(input.slug))
    state.heldMs ??= state.heldAt === undefined ? 0 : now() - state.heldAt
    await serveSites(context, input.serverId)
    await serveSites(context, input.otherServerId)
  },
}

const confirm: MoveStep = {
  name: 'Asking it as a visitor would',
  async run(context) {
    const { db, input, say } = context
    const site = await siteOf(context)
    const [hostname = ''] = (await listHostnames(db, [input.slug])).get(input.slug) ?? []
    if (site.status === 'running') await confirmAnswer(context, site.server_id, hostname)
    for (const line of await describeRecords(context, input.slug, site.server_id)) say(line)
    say('The old server forwards visitors until the move is finished.')
  },
}

export const siteMove = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'site.move',
  label: 'Move a site to another server',
  description:
    'Copies a site to another server and lets it answer there; the old copy is parked until the move is finished.',
  timeoutMs: 6 * 3_600_000,
  input: z.strictObject({ ...siteInput, otherServerId: z.number() }),
  result: Result,
  steps: [prepare, files, database, arrive, hold, settle, change, confirm].map(patient),
  finish: ({ heldMs }, { serverId, otherServerId }) => ({ from: serverId, to: otherServerId, heldMs: heldMs ?? 0 }),
})
