import { z } from 'zod'
import { PhpVersion } from '../contract.ts'
import { confirmAnswer } from '../probe.ts'
import { bringImageFor, ensureSiteRuns } from '../run-site.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite, listHostnames, type SiteRow } from '../site-store.ts'

interface Input extends SiteInput {
  version: SiteRow['php_version']
}
interface State {
  before: SiteRow['php_version']
}

const Result = z.strictObject({ from: z.string(), to: z.string() })

export const siteChangePhp = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'site.changePhp',
  label: 'Change the PHP version',
  description: 'Recreates the container on another PHP version; files and database stay as they are.',
  input: z.strictObject({ ...siteInput, version: PhpVersion }),
  result: Result,
  steps: [
    {
      name: 'Bringing the image',
      async run(context) {
        const site = await siteOf(context)
        context.state.before ??= site.php_version
        await bringImageFor(context, { ...site, php_version: context.input.version })
      },
    },
    {
      name: 'Changing over',
      async run(context) {
        const { db, input } = context
        await changeSite(db, input.slug, { php_version: input.version })
        const site = await siteOf(context)
        if (site.status === 'running') await ensureSiteRuns(context, site)
      },
      undo: ifThere(async (context, site) => {
        const before = context.state.before ?? site.php_version
        await changeSite(context.db, site.slug, { php_version: before })
        if (site.status === 'running') await ensureSiteRuns(context, { ...site, php_version: before })
      }),
    },
    {
      name: 'Asking it as a visitor would',
      async run(context) {
        const { slug, server_id, status } = await siteOf(context)
        const [hostname] = (await listHostnames(context.db, [slug])).get(slug) ?? []
        if (status === 'running' && hostname !== undefined) await confirmAnswer(context, server_id, hostname)
      },
    },
  ],
  finish: ({ before }, { version }) => ({ from: before ?? version, to: version }),
})
