import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { readPluginChecksums } from '#drivers/wordpress-org/directory.ts'
import { fetchCore } from '#drivers/wordpress-org/fetch-core.ts'
import { fetchPackage, packagePathOf } from '#drivers/wordpress-org/fetch-package.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import {
  defineSiteJob,
  ifThere,
  type SiteInput,
  type SiteRow,
  siteInput,
  siteOf,
  wordpressOrgOf,
} from '#features/sites/index.ts'
import { type Change, clearCode, stage, swapTo, unstage } from '#features/wordpress/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { ITEM_KINDS } from '../contract.ts'
import { bringScanner } from '../scan/image.ts'
import { Result, type ScanState, scanSite } from '../scan/scan-site.ts'

interface Input extends SiteInput {
  kind: (typeof ITEM_KINDS)[number]
  item: string
  version: string
}
interface State extends ScanState {
  change: Change
}
type Context = StepContext<Input, State>

const LIMIT_MS = 60 * 60_000

const download: Step<Input, State> = {
  id: 'download',
  label: 'Downloading it again',
  async run(context) {
    const site = await siteOf(context)
    // The scan at the end must not wait for its image once files have changed.
    await bringScanner(context, site.server_id, context.signal)
    context.state.change = await staged(context, site)
  },
  undo: ifThere((context, site) => unstage(context, site, context.jobId)),
}

const replace: Step<Input, State> = {
  id: 'replace',
  label: 'Replacing its files',
  async run(context) {
    const site = await siteOf(context)
    const { change } = context.state
    if (!change) throw new Error('nothing was downloaded')
    await swapTo(context, site, 'after', change)
    await clearCode(context, site)
  },
  undo: ifThere(async (context, site) => {
    const { change } = context.state
    if (!change) return
    await swapTo(context, site, 'before', change)
    await clearCode(context, site)
  }),
}

const clean: Step<Input, State> = {
  id: 'delete-old',
  label: 'Deleting the changed files',
  final: true,
  run: async context => unstage(context, await siteOf(context), context.jobId),
}

const scan: Step<Input, State> = {
  id: 'scan',
  label: 'Scanning the files',
  async run(context) {
    context.state.result = await scanSite(context, await siteOf(context))
  },
}

const staged = (context: Context, site: SiteRow): Promise<Change> =>
  context.input.kind === 'core' ? stagedCore(context, site) : stagedItem(context, site, context.input.kind)

const stagedCore = async (context: Context, site: SiteRow): Promise<Change> => {
  const archive = await fetchCore({
    version: context.input.version,
    locale: site.locale,
    service: await wordpressOrgOf(context),
    cacheDir: `${context.installation.dataDir}/cache`,
    host: context.hosts.get(OWN_SERVER),
    signal: context.signal,
  })
  const input = createReadStream(archive.path)
  return stage(context, site, { id: context.jobId, path: '', name: '', format: 'core', input })
}

/** Only from the directory: the panel has no other place to download it from. */
const stagedItem = async (context: Context, site: SiteRow, kind: 'plugin' | 'theme'): Promise<Change> => {
  const { item, version } = context.input
  const service = { ...(await wordpressOrgOf(context)), signal: context.signal }
  const path = packagePathOf(service, `${service.downloads}/${kind}/${item}.${version}.zip`)
  if (path === undefined)
    throw new CodedError('no_package', `${item} ${version} can't be downloaded from WordPress.org.`)
  const file = await fetchPackage({ service, path, cacheDir: `${context.installation.dataDir}/cache` })
  const sums = kind === 'plugin' ? await readPluginChecksums(service, item, version) : undefined
  const wanted = { id: context.jobId, path: `wp-content/${kind}s`, name: item, format: 'item' as const, sums }
  return stage(context, site, { ...wanted, input: createReadStream(file) })
}

export const wpReinstall = defineSiteJob<Input, State, z.infer<typeof Result> | null>({
  type: 'wp.reinstall',
  label: 'Reinstall files',
  description:
    'Downloads WordPress, a plugin or a theme again at the version of the site, replaces its files, then scans the site again.',
  category: 'security',
  timeoutMs: LIMIT_MS,
  input: z.strictObject({
    ...siteInput,
    kind: z.enum(ITEM_KINDS),
    item: z.string().max(200),
    version: z.string().max(60),
  }),
  result: Result.nullable(),
  steps: [download, replace, clean, scan],
  finish: ({ result }) => result ?? null,
})
