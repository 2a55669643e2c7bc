import { createHash } from 'node:crypto'
import { coreSums } from '#drivers/wordpress-org/core-sums.ts'
import { readPluginChecksums } from '#drivers/wordpress-org/directory.ts'
import { UnknownCore, WordpressOrgUnreachable } from '#drivers/wordpress-org/errors.ts'
import { vouchedFiles } from '#features/catalog/index.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import { ownConfig, type SiteRow, wordpressOrgOf } from '#features/sites/index.ts'
import { installedOn } from '#features/wordpress/index.ts'
import { HostError } from '#platform/host/errors.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'

type Sums = Readonly<Record<string, readonly string[]>>

/** Files of which it is known what should be in them. */
export interface Tree {
  readonly kind: 'core' | 'plugin' | 'theme'
  readonly slug: string
  readonly version: string
  readonly prefix: string
  /** Folders that nothing else belongs into. */
  readonly closed: readonly string[]
  readonly sums: Sums
  /** Where files may be newer ones. */
  readonly loose: string
}

export interface KnownGood {
  readonly trees: readonly Tree[]
  readonly owned: readonly { readonly path: string; readonly sum: string; readonly except: string }[]
  /** What could not be checked, in words. */
  readonly notes: readonly string[]
}

/** WordPress, the plugins of the site that have published checksums, and what the panel itself has written. */
export const knownGood = async (work: StepScope, site: SiteRow): Promise<KnownGood> => {
  const notes: string[] = []
  const { core, plugins } = await installedOn(work, site)
  const trees = [...(await coreTree(work, site, core, notes)), ...(await pluginTrees(work, plugins, notes))]
  const { path, text, except } = ownConfig(work, site)
  const sum = createHash('sha256').update(text.reveal()).digest('hex')
  return { trees, owned: [{ path, sum, except }], notes }
}

const isAway = (error: unknown) =>
  error instanceof WordpressOrgUnreachable || error instanceof UnknownCore || error instanceof HostError

const coreTree = async (work: StepScope, site: SiteRow, version: string, notes: string[]): Promise<Tree[]> => {
  try {
    const sums = await coreSums({
      version,
      locale: site.locale,
      service: await wordpressOrgOf(work),
      cacheDir: `${work.installation.dataDir}/cache`,
      host: work.hosts.get(OWN_SERVER),
      signal: work.signal,
    })
    const closed = ['wp-admin/', 'wp-includes/']
    return [{ kind: 'core', slug: 'core', version, prefix: '', closed, sums, loose: 'wp-content/' }]
  } catch (error) {
    if (!isAway(error)) throw error
    notes.push(`WordPress ${version} could not be compared with its published files.`)
    return []
  }
}

/** Of a plugin whose zip in the catalog was checked. */
const catalogSums = async ({ db }: StepScope, slug: string, version: string): Promise<Sums | undefined> => {
  const files = await vouchedFiles(db, slug, version)
  return files && Object.fromEntries([...files].map(([path, sum]) => [path, [sum]]))
}

interface Installed {
  readonly slug: string
  readonly version: string
}

const pluginTrees = async (work: StepScope, plugins: readonly Installed[], notes: string[]): Promise<Tree[]> => {
  const service = { ...(await wordpressOrgOf(work)), signal: work.signal }
  const trees: Tree[] = []
  for (const { slug, version } of plugins) {
    try {
      const sums = (await catalogSums(work, slug, version)) ?? (await readPluginChecksums(service, slug, version))
      const prefix = `wp-content/plugins/${slug}/`
      if (sums) trees.push({ kind: 'plugin', slug, version, prefix, closed: [''], sums, loose: '' })
    } catch (error) {
      if (!(error instanceof WordpressOrgUnreachable)) throw error
      notes.push('Plugins could not be compared with their published files: WordPress.org did not respond.')
      return trees
    }
  }
  return trees
}
