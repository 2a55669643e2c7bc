import { z } from 'zod'
import { PhpVersion } from '../contract.ts'
import { tellChanged } from '../pause-site.ts'
import { confirmAnswer } from '../probe.ts'
import { bringImageFor, ensureSiteRuns, requireRoomFor } from '../run-site.ts'
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
  label: 'Change PHP version',
  description: 'Recreates the container with another PHP version. Files and database are not changed.',
  input: z.strictObject({ ...siteInput, version: PhpVersion }),
  result: Result,
  steps: [
    {
      id: 'bring-image',
      label: 'Copying the image',
      async run(context) {
        const site = await siteOf(context)
        context.state.before ??= site.php_version
        await requireRoomFor(context, site)
        await bringImageFor(context, { ...site, php_version: context.input.version })
      },
    },
    {
      id: 'switch-version',
      label: 'Switching the PHP version',
      async run(context) {
        const { db, input } = context
        await changeSite(db, input.slug, { php_version: input.version })
        const site = await siteOf(context)
        if (site.status === 'running') await ensureSiteRuns(context, site)
        await tellChanged(context, site.slug)
      },
      undo: ifThere(async (context, site) => {
        const before = context.state.before ?? site.php_version
        await changeSite(context.db, site.slug, { php_version: before })
        if (site.status === 'running') await ensureSiteRuns(context, { ...site, php_version: before })
        await tellChanged(context, site.slug)
      }),
    },
    {
      id: 'check-answer',
      label: 'Checking that the site responds',
      async run(context) {
        const { slug, server_id, status } = await siteOf(context)
        const [hostname] = (await listHostnames(context.db, [slug])).get(slug) ?? []
        if (status === 'running' && hostname !== undefined) await confirmAnswer(context, server_id, hostname)
      },
    },
  ],
  finish: ({ before }, { version }) => ({ from: before ?? version, to: version }),
})
