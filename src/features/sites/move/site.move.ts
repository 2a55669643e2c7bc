import { z } from 'zod'
import { findContainer, pauseContainer, stopContainer, unpauseContainer } from '#drivers/docker/containers.ts'
import { copyCertificate } from '#features/certificates/index.ts'
import { ROOT } from '#features/servers/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { SITE_PORT } from '../container.ts'
import { dropFolders, type SiteFolder, withFolder } from '../folder/open-folder.ts'
import { siteName, siteNetwork } from '../network.ts'
import { confirmAnswer } from '../probe.ts'
import { bringImageFor, ensureSiteRuns, removeSiteContainer, settleOwner } from '../run-site.ts'
import { serveSites } from '../serve-site.ts'
import { dropSiteDatabase } from '../site-database.ts'
import { makeEmptyFolder, removeFiles } from '../site-files.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { listHostnames, type SiteRow } from '../site-store.ts'
import { awaitQuiet } from './await-quiet.ts'
import { copyChangedTables, copyDatabase } from './copy-database.ts'
import { compareFiles, copyAll, copyChanged, isStillSame, readClock, readSize } from './copy-files.ts'
import { changePlaces, copyOf, deleteCopy, findCopy, getCopy, reserveCopy, setStage } from './copy-store.ts'
import { describeRecords } from './dns.ts'
import { beginHold, decideMoved, endHold, keepHold, readDecision, readServed } from './hold.ts'
import { pointRecords } from './point-records.ts'
import { refuseMove } from './refuse-move.ts'
import { certificatesInUse, removeCertificates } from './remove-copy.ts'
import { forwardAddress } from './sites-served.ts'
import { withinHold } from './within-hold.ts'

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
  /** What the edge of the old server served before visitors had to wait. */
  served: string
}
type Context = StepContext<Input, State>
type MoveStep = Step<Input, State>

/** No one asks it by then. */
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

/** The files on both servers, in containers that see nothing else. */
const withBothFolders = async <T>(
  context: Context,
  act: (from: SiteFolder, to: SiteFolder, site: SiteRow, copy: SiteRow) => Promise<T>,
): Promise<T> => {
  const { site, copy } = await both(context)
  const [image, copyImage] = await Promise.all([bringImageFor(context, site), bringImageFor(context, copy)])
  return withFolder(context, site, { image, purpose: 'move' }, from =>
    withFolder(context, copy, { image: copyImage, purpose: 'move' }, to => act(from, to, site, copy)),
  )
}

const prepare: MoveStep = {
  id: 'check-servers',
  label: 'Checking both servers',
  async run(context) {
    const { db, input, now } = context
    const site = await siteOf(context)
    await refuseMove(context, site, input)
    await settleOwner(context, site)
    await reserveCopy(db, input.slug, input.otherServerId, now())
    await bringImageFor(context, (await both(context)).copy)
  },
  undo: ifCopied(({ db }, { slug }) => deleteCopy(db, slug)),
}

const files: MoveStep = {
  id: 'copy-files',
  label: 'Copying the files',
  async run(context) {
    const { signal, state, progress } = context
    await makeEmptyFolder(context, (await both(context)).copy)
    await withBothFolders(context, async (from, to) => {
      state.copiedAtSeconds = await readClock(from, signal)
      const total = await readSize(from, signal)
      await copyAll(from, to, signal, done => progress({ done, total, unit: 'bytes' }))
      state.isCompared = await isStillSame(from, to, state.copiedAtSeconds, signal)
    })
  },
  undo: ifCopied(async (context, copy, site) => {
    await dropFolders(context, site)
    await removeFiles(context, copy)
  }),
}

const database: MoveStep = {
  id: 'copy-database',
  label: 'Copying the database',
  async run(context) {
    const { site, copy } = await both(context)
    await copyDatabase(context, site, copy)
  },
  undo: ifCopied((context, copy) => dropSiteDatabase(context, copy)),
}

const arrive: MoveStep = {
  id: 'prepare-new-server',
  label: 'Preparing the new server',
  async run(context) {
    const { site, copy } = await both(context)
    for (const row of await certificatesInUse(context, site))
      await copyCertificate(context, row, { serverId: copy.server_id, rootDir: ROOT })
    await context.events.raise(context, 'siteMoving', { site, toServerId: copy.server_id })
    if (site.status === 'running') await standStill(context, copy)
    await setStage(context.db, site.slug, 'arrived')
    await serveSites(context, copy.server_id)
  },
  undo: ifCopied(async (context, copy, site) => {
    await setStage(context.db, copy.slug, 'copying')
    await serveSites(context, copy.server_id)
    // Visitors who wait at it are led back by the old server.
    await removeSiteContainer(context, copy)
    await removeCertificates(context, copy)
    await context.events.raise(context, 'siteMoveUndone', { site, toServerId: copy.server_id })
  }),
}

/** Started, seen to be healthy, and then stopped in the middle: anyone who connects is taken and waits. */
const standStill = async (context: Context, copy: SiteRow): Promise<void> => {
  const docker = dockerOf(context.hosts.get(copy.server_id))
  const name = siteName(copy.slug)
  if ((await findContainer(docker, name))?.state === 'paused') return
  await ensureSiteRuns(context, copy)
  await pauseContainer(docker, name)
}

const hold: MoveStep = {
  id: 'hold-visitors',
  label: 'Pausing traffic',
  async run(context) {
    const { site } = await both(context)
    if (site.status !== 'running') return
    const host = context.hosts.get(site.server_id)
    context.state.heldAt ??= context.now()
    context.state.served ??= await readServed(host)
    await context.save()
    await letWait(context, (await readDecision(host, site.slug)) === 'back')
  },
  undo: ifCopied(async (context, _, site) => {
    if (site.status !== 'running') return
    await ensureSiteRuns(context, site)
    await setStage(context.db, site.slug, 'arrived')
    await serveSites(context, site.server_id)
    await endHold(context.hosts.get(site.server_id), site.slug)
  }),
}

/** Visitors wait at the new server, and nothing of the site changes any more. */
const letWait = async (context: Context, isAgain: boolean): Promise<void> => {
  const { site, copy } = await both(context)
  const host = context.hosts.get(site.server_id)
  if (isAgain) {
    context.say('The old server served by itself while it heard nothing from the panel; visitors wait again.')
    // Anyone who waited at the copy was answered by the old server and must not be answered twice.
    await removeSiteContainer(context, copy)
    await standStill(context, copy)
  }
  const newAddress = (await forwardAddress(context, copy.server_id)) ?? ''
  await beginHold(host, site, { served: context.state.served ?? '', newAddress })
  await keepHold(host, site.slug, async () => {
    await setStage(context.db, site.slug, 'held')
    await serveSites(context, site.server_id)
    await awaitQuiet(host, siteNetwork(site.slug, site.network_index).address, SITE_PORT, context.signal)
    await stopContainer(dockerOf(host), siteName(site.slug), { timeoutSeconds: STOP_TIMEOUT_SECONDS })
  })
}

const settle: MoveStep = {
  id: 'copy-changes',
  label: 'Copying the latest changes',
  async run(context) {
    const { site } = await both(context)
    if (site.status !== 'running') return withinHold(context, signal => copyChanges(context, signal))
    const host = context.hosts.get(site.server_id)
    const decision = await readDecision(host, site.slug)
    if (decision === 'moved') return
    if (decision === 'back') await letWait(context, true)
    await keepHold(host, site.slug, async () => {
      await withinHold(context, signal => copyChanges(context, signal))
      await decideMoved(host, site.slug)
    })
  },
}

const copyChanges = async (context: Context, signal: AbortSignal): Promise<void> => {
  const [count, tables] = await withBothFolders({ ...context, signal }, async (from, to, site, copy) => {
    const [copied, copiedTables] = await Promise.all([
      copyChanged(from, to, context.state.copiedAtSeconds ?? 0, signal),
      copyChangedTables({ ...context, signal }, site, copy),
    ])
    await compareFiles(from, to, context.state.isCompared ? copied.files : undefined, signal)
    return [copied.count, copiedTables]
  })
  context.say(`${count} files and ${tables} tables had changed. Both copies are identical.`)
}

const change: MoveStep = {
  id: 'switch-servers',
  label: 'Switching servers',
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
    await endHold(hosts.get(input.serverId), input.slug)
  },
}

/** The move has happened by then, so a site that answers with its own error does not make it a failed one. */
const sayInstead =
  ({ say }: Context) =>
  (error: unknown): void => {
    if (!(error instanceof Problem)) throw error
    say(`The site has moved, but check it: ${error.message}`)
  }

const confirm: MoveStep = {
  id: 'check-answer',
  label: 'Checking that the site responds',
  async run(context) {
    const { db, input, say } = context
    const site = await siteOf(context)
    const [hostname = ''] = (await listHostnames(db, [input.slug])).get(input.slug) ?? []
    if (site.status === 'running') await confirmAnswer(context, site.server_id, hostname).catch(sayInstead(context))
    await context.events.raise(context, 'siteMoved', { site, fromServerId: input.serverId })
    const done = await pointRecords(context, input.slug, site.server_id)
    for (const line of await describeRecords(context, input.slug, site.server_id, done)) say(line)
    say('The old server forwards visitors until the move is finished.')
  },
}

export const siteMove = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'site.move',
  label: 'Move site',
  description:
    'Copies a site to another server and switches traffic to it. The old copy is kept until the move is finished.',
  timeoutMs: 6 * 3_600_000,
  input: z.strictObject({ ...siteInput, otherServerId: z.number() }),
  result: Result,
  steps: [prepare, files, database, arrive, hold, settle, change, confirm],
  finish: ({ heldMs }, { serverId, otherServerId }) => ({ from: serverId, to: otherServerId, heldMs: heldMs ?? 0 }),
})
