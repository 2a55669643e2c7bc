import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { onlyFor } from '#platform/contract/withhold.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { installFirst, installPrepared } from '../install-wordpress.ts'
import { confirmAnswer, warmUp } from '../probe.ts'
import { bringImageFor, ensureSiteNetwork, removeSiteContainer, startSite, waitUntilHealthy } from '../run-site.ts'
import { addressOf, ensureSiteCertificate, serveSites } from '../serve-site.ts'
import { dropSiteDatabase, ensureSiteDatabase } from '../site-database.ts'
import { makeReadyForNext, placeFiles, removeFiles } from '../site-files.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite, deleteSite, listHostnames, type SiteRow } from '../site-store.ts'

interface Input extends SiteInput {
  adminUser: string
}
interface State {
  adminPassword: string
  url: string
}
type Context = StepContext<Input, State>
type CreateStep = Step<Input, State>

const PASSWORD_BYTES = 18

const Result = z.strictObject({ url: z.string(), adminUser: z.string(), adminPassword: onlyFor('manage', z.string()) })

const hostnamesOf = async ({ db, input }: Context) => (await listHostnames(db, [input.slug])).get(input.slug) ?? []

const prepare: CreateStep = {
  name: 'Preparing',
  async run(context) {
    const [primary = ''] = await hostnamesOf(context)
    context.state.url ??= addressOf(primary)
    context.state.adminPassword ??= randomBytes(PASSWORD_BYTES).toString('base64url')
    await bringImageFor(context, await siteOf(context))
  },
  // The row was made together with the job, so the job takes it away again.
  undo: ({ db, input }) => deleteSite(db, input.slug),
}

const files: CreateStep = {
  name: 'Putting WordPress in place',
  async run(context) {
    const site = await siteOf(context)
    await sideBySide(placeFiles(context, site), ensureSiteNetwork(context, site))
  },
  undo: ifThere(async (context, site) => {
    await removeSiteContainer(context, site)
    await removeFiles(context, site)
  }),
}

/** All at once, as far as one does not need the other: the seconds of a new site are spent here. */
const bringToLife: CreateStep = {
  name: 'Starting it with its database',
  async run(context) {
    const site = await siteOf(context)
    const hostnames = await hostnamesOf(context)
    const started = startSite(context, site).then(() => context.say('Its container runs.'))
    const installed = install(context, site, started)
    const shown = Promise.all([started, installed]).then(() => firstPage(context, site, hostnames))
    // Not before: whoever comes to a WordPress without tables may make it his own.
    const opened = installed.then(() => open(context, site, hostnames))
    await sideBySide(started, installed, shown, opened)
  },
  undo: ifThere(async (context, site) => {
    await changeSite(context.db, site.slug, { status: 'creating' })
    await serveSites(context, site.server_id)
    await removeSiteContainer(context, site)
    await dropSiteDatabase(context, site)
  }),
}

const install = async (context: Context, site: SiteRow, started: Promise<unknown>): Promise<void> => {
  // An earlier attempt got so far as to let visitors in: nothing is taken away under them.
  if (site.status === 'running') return
  const { state } = context
  const admin = { url: state.url ?? '', password: new Secret(state.adminPassword ?? '') }
  await ensureSiteDatabase(context, site)
  if (!(await installPrepared(context, site, admin))) {
    await started
    await installFirst(context, site, admin)
  }
  context.say('Its database is filled.')
}

const open = async (context: Context, site: SiteRow, hostnames: readonly string[]): Promise<void> => {
  await ensureSiteCertificate(context, site, hostnames)
  // A job that was stopped meanwhile is being put back.
  context.signal.throwIfAborted()
  await changeSite(context.db, site.slug, { status: 'running' })
  await serveSites(context, site.server_id)
  context.say('Visitors are led to it.')
}

const firstPage = async (context: Context, site: SiteRow, [primary = '']: readonly string[]): Promise<void> => {
  // Where none comes, the container itself tells best what is wrong with it.
  if (!(await warmUp(context, site, primary))) await waitUntilHealthy(context, site)
}

/** What still runs when one has failed would go on behind the back of the job. */
const sideBySide = async (...acts: Promise<unknown>[]): Promise<void> => {
  await Promise.allSettled(acts)
  await Promise.all(acts)
}

const confirm: CreateStep = {
  name: 'Asking it as a visitor would',
  async run(context) {
    const [hostname = ''] = await hostnamesOf(context)
    await confirmAnswer(context, context.input.serverId, hostname)
    context.say(`It answers at ${context.state.url}`)
    makeReadyForNext(context, await siteOf(context))
  },
}

export const siteCreate = defineSiteJob<Input, State, z.input<typeof Result>>({
  type: 'site.create',
  label: 'Create a site',
  description: 'Creates database and container, installs WordPress and opens it to visitors.',
  input: z.strictObject({ ...siteInput, adminUser: z.string() }),
  result: Result,
  steps: [prepare, files, bringToLife, confirm],
  finish: ({ url, adminPassword }, { adminUser }) => ({
    url: url ?? '',
    adminUser,
    adminPassword: adminPassword ?? null,
  }),
})
