import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { needsCertificate, removeCertificate } from '#features/certificates/index.ts'
import { ROOT } from '#features/servers/index.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { Secret } from '#platform/host/secret.ts'
import { describeFailure } from '#platform/jobs/failure.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { sideBySide } from '#platform/sequence/side-by-side.ts'
import { beginLive } from '../domains/begin-live.ts'
import type { NewSiteChoices } from '../hooks.ts'
import { confirmAnswer, warmUp } from '../probe.ts'
import {
  bringImageFor,
  prepareStart,
  removeSiteContainer,
  requireRoomFor,
  startPrepared,
  waitUntilHealthy,
} from '../run-site.ts'
import { addressOf, ensureSiteCertificate, serveSites } from '../serve-site.ts'
import { dropSiteDatabase, ensureSiteDatabase } from '../site-database.ts'
import { makeReadyForNext, placeFiles, removeFiles } from '../site-files.ts'
import { makeSiteFolder } from '../site-folder.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite, deleteSite, listHostnames, type SiteRow } from '../site-store.ts'
import { installFirst, installPrepared } from '../wordpress/install-wordpress.ts'

interface Input extends SiteInput, NewSiteChoices {
  adminUser: string
}
interface State {
  adminPassword: string
  container: ContainerSpec
  hasDatabase: boolean
  url: string
}
type Context = StepContext<Input, State>
type CreateStep = Step<Input, State>

const PASSWORD_BYTES = 18

const Result = z.strictObject({ url: z.string(), adminUser: z.string(), adminPassword: onlyFor('manage', z.string()) })

const hostnamesOf = async ({ db, input }: Context) => (await listHostnames(db, [input.slug])).get(input.slug) ?? []

const prepare: CreateStep = {
  id: 'prepare',
  label: 'Preparing',
  async run(context) {
    await beginLive(context, await siteOf(context))
    const [primary = ''] = await hostnamesOf(context)
    context.state.url = addressOf(primary)
    context.state.adminPassword ??= randomBytes(PASSWORD_BYTES).toString('base64url')
    const site = await siteOf(context)
    await requireRoomFor(context, site)
    await bringImageFor(context, site)
  },
  // The row was made together with the job, so the job takes it away again.
  async undo(context) {
    const { db, input } = context
    for (const state of ['serving', 'held'] as const) {
      const names = (await listHostnames(db, [input.slug], state)).get(input.slug) ?? []
      const secured = names.filter(needsCertificate)
      if (secured.length > 0) await removeCertificate(context, { serverId: input.serverId, rootDir: ROOT }, secured)
    }
    await deleteSite(db, input.slug)
  },
}

const files: CreateStep = {
  id: 'place-files',
  label: 'Copying WordPress',
  async run(context) {
    const site = await siteOf(context)
    await makeSiteFolder(context.hosts.get(site.server_id), site.slug)
    const database = ensureSiteDatabase(context, site)
    const [container] = await sideBySide(prepareStart(context, site), placeFiles(context, site), database)
    Object.assign(context.state, { container, hasDatabase: true })
  },
  undo: ifThere(async (context, site) => {
    await removeSiteContainer(context, site)
    await dropSiteDatabase(context, site)
    await removeFiles(context, site)
  }),
}

/** All at once, as far as one does not need the other: the seconds of a new site are spent here. */
const bringToLife: CreateStep = {
  id: 'start-and-install',
  label: 'Starting the container and the database',
  async run(context) {
    const site = await siteOf(context)
    const hostnames = await hostnamesOf(context)
    const container = context.state.container ?? (await prepareStart(context, site))
    const started = startPrepared(context, site, container).then(() => context.say('The container is running.'))
    const installed = install(context, site, started)
    const shown = Promise.all([started, installed]).then(() => firstPage(context, site, hostnames))
    // Not before: anyone who comes to a WordPress without tables may take it over.
    const opened = installed.then(() => open(context, site, hostnames))
    await sideBySide(started, installed, shown, opened)
  },
  undo: ifThere(async (context, site) => {
    await changeSite(context.db, site.slug, { status: 'creating' })
    await serveSites(context, site.server_id)
    await removeSiteContainer(context, site)
  }),
}

const install = async (context: Context, site: SiteRow, started: Promise<unknown>): Promise<void> => {
  // An earlier attempt got so far as to let visitors in: nothing is removed under them.
  if (site.status === 'running') return
  const { state } = context
  const admin = { url: state.url ?? '', password: new Secret(state.adminPassword ?? '') }
  // A job that an older version of the panel began.
  if (!state.hasDatabase) await ensureSiteDatabase(context, site)
  if (!(await installPrepared(context, site, admin))) {
    await started
    await installFirst(context, site, admin)
  }
  context.say('WordPress is installed.')
}

const open = async (context: Context, site: SiteRow, hostnames: readonly string[]): Promise<void> => {
  await certify(context, site, hostnames)
  // A job that was stopped in the meantime is being restored.
  context.signal.throwIfAborted()
  await changeSite(context.db, site.slug, { status: 'running' })
  await serveSites(context, site.server_id)
  context.say('Routing traffic.')
}

/** A certificate that cannot be had now is asked for again and again; the site is there without it. */
const certify = async (context: Context, site: SiteRow, hostnames: readonly string[]): Promise<void> => {
  try {
    await ensureSiteCertificate(context, site, hostnames)
  } catch (error) {
    context.signal.throwIfAborted()
    const { message, output } = describeFailure(error)
    context.say(`${message}. It is asked for again until there is one.`)
    if (output !== null) context.output('stderr', output)
  }
}

const firstPage = async (context: Context, site: SiteRow, [primary = '']: readonly string[]): Promise<void> => {
  // Where none comes, the container itself tells best what is wrong with it.
  if (!(await warmUp(context, site, primary))) await waitUntilHealthy(context, site)
}

const confirm: CreateStep = {
  id: 'check-answer',
  label: 'Checking that the site responds',
  async run(context) {
    const [hostname = ''] = await hostnamesOf(context)
    await confirmAnswer(context, context.input.serverId, hostname)
    context.say(`The site responds at ${context.state.url}`)
    const site = await siteOf(context)
    const { pluginIds, recipeIds } = context.input
    await context.events.raise(context, 'siteCreated', { site, chosen: { pluginIds, recipeIds } })
    makeReadyForNext(context, site)
  },
  undo: ifThere(async (context, site) => {
    await context.events.raise(context, 'siteDeleting', { site })
  }),
}

export const siteCreate = defineSiteJob<Input, State, z.input<typeof Result>>({
  type: 'site.create',
  label: 'Create site',
  description: 'Creates the database and the container, installs WordPress and routes traffic to it.',
  input: z.strictObject({
    ...siteInput,
    adminUser: z.string(),
    pluginIds: z.array(z.string()).optional(),
    recipeIds: z.array(z.string()).optional(),
  }),
  result: Result,
  steps: [prepare, files, bringToLife, confirm],
  withdraw: (db, { slug }) => deleteSite(db, slug),
  finish: ({ url, adminPassword }, { adminUser }) => ({
    url: url ?? '',
    adminUser,
    adminPassword: adminPassword ?? null,
  }),
})
