import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { onlyFor } from '#platform/contract/withhold.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { installWordpress, readWordpressVersion } from '../install-wordpress.ts'
import { confirmAnswer } from '../probe.ts'
import { bringImageFor, ensureSiteRuns, removeSiteContainer } from '../run-site.ts'
import { addressOf, ensureSiteCertificate, serveSites } from '../serve-site.ts'
import { dropSiteDatabase, ensureSiteDatabase } from '../site-database.ts'
import { placeFiles, removeFiles } from '../site-files.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite, deleteSite, listHostnames } from '../site-store.ts'

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
  run: async context => placeFiles(context, await siteOf(context)),
  undo: ifThere((context, site) => removeFiles(context, site)),
}

const database: CreateStep = {
  name: 'Making the database',
  run: async context => ensureSiteDatabase(context, await siteOf(context)),
  undo: ifThere((context, site) => dropSiteDatabase(context, site)),
}

const container: CreateStep = {
  name: 'Starting the container',
  async run(context) {
    await ensureSiteRuns(context, await siteOf(context))
  },
  undo: ifThere((context, site) => removeSiteContainer(context, site)),
}

const install: CreateStep = {
  name: 'Installing WordPress',
  async run(context) {
    const { db, input, state } = context
    const site = await siteOf(context)
    const password = new Secret(state.adminPassword ?? '')
    await installWordpress(context, site, { url: state.url ?? '', password })
    await changeSite(db, input.slug, { wordpress_version: await readWordpressVersion(context, site) })
  },
}

const serve: CreateStep = {
  name: 'Opening it to visitors',
  async run(context) {
    const { db, input } = context
    await ensureSiteCertificate(context, await siteOf(context), await hostnamesOf(context))
    await changeSite(db, input.slug, { status: 'running' })
    await serveSites(context, input.serverId)
  },
  undo: ifThere(async (context, { slug, server_id }) => {
    await changeSite(context.db, slug, { status: 'creating' })
    await serveSites(context, server_id)
  }),
}

const confirm: CreateStep = {
  name: 'Asking it as a visitor would',
  async run(context) {
    const [hostname = ''] = await hostnamesOf(context)
    await confirmAnswer(context, context.input.serverId, hostname)
    context.say(`It answers at ${context.state.url}`)
  },
}

export const siteCreate = defineSiteJob<Input, State, z.input<typeof Result>>({
  type: 'site.create',
  label: 'Create a site',
  description: 'Creates database and container, installs WordPress and opens it to visitors.',
  input: z.strictObject({ ...siteInput, adminUser: z.string() }),
  result: Result,
  steps: [prepare, files, database, container, install, serve, confirm],
  finish: ({ url, adminPassword }, { adminUser }) => ({
    url: url ?? '',
    adminUser,
    adminPassword: adminPassword ?? null,
  }),
})
