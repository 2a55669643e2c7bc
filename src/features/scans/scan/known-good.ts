import { createHash } from 'node:crypto'
import { coreSums } from '#drivers/wordpress-org/core-sums.ts'
import { readPluginChecksums } from '#drivers/wordpress-org/directory.ts'
import { UnknownCore, UnknownPackage, WordpressOrgUnreachable } from '#drivers/wordpress-org/errors.ts'
import type { WordpressOrg } from '#drivers/wordpress-org/exchange.ts'
import { fetchPackage, packagePathOf } from '#drivers/wordpress-org/fetch-package.ts'
import { fileSums } from '#drivers/zip/file-sums.ts'
import { NotZip, UnsafeZip } from '#drivers/zip/zip-entry.ts'
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

/** WordPress, the plugins and themes of the site that are published, and what the panel itself has written. */
export const knownGood = async (work: StepScope, site: SiteRow): Promise<KnownGood> => {
  const notes: string[] = []
  const { core, plugins, themes } = await installedOn(work, site)
  const ofKind = (kind: Item['kind'], all: readonly Installed[]) => all.map(each => ({ ...each, kind }))
  const items = [...ofKind('plugin', plugins), ...ofKind('theme', themes)]
  const trees = [...(await coreTree(work, site, core, notes)), ...(await itemTrees(work, items, notes))]
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
interface Item extends Installed {
  readonly kind: 'plugin' | 'theme'
}

/** Plugins have published checksums. Themes have none, so the package of the installed version tells what is in them. */
const publishedSums = async (
  { installation, signal }: StepScope,
  service: WordpressOrg,
  { kind, slug, version }: Item,
): Promise<Sums | undefined> => {
  if (kind === 'plugin') return readPluginChecksums(service, slug, version)
  const path = packagePathOf(service, `${service.downloads}/theme/${slug}.${version}.zip`)
  if (path === undefined) return undefined
  try {
    const zip = await fetchPackage({ service, path, cacheDir: `${installation.dataDir}/cache` })
    return sumsBelow(`${slug}/`, await fileSums(zip, signal))
  } catch (error) {
    if (error instanceof UnknownPackage || error instanceof NotZip || error instanceof UnsafeZip) return undefined
    throw error
  }
}

const sumsBelow = (folder: string, all: ReadonlyMap<string, string>): Sums =>
  Object.fromEntries(
    [...all].filter(([name]) => name.startsWith(folder)).map(([name, sum]) => [name.slice(folder.length), [sum]]),
  )

const itemTrees = async (work: StepScope, items: readonly Item[], notes: string[]): Promise<Tree[]> => {
  const service = { ...(await wordpressOrgOf(work)), signal: work.signal }
  const trees: Tree[] = []
  for (const item of items) {
    const { kind, slug, version } = item
    try {
      const vouched = kind === 'plugin' ? await catalogSums(work, slug, version) : undefined
      const sums = vouched ?? (await publishedSums(work, service, item))
      const prefix = `wp-content/${kind}s/${slug}/`
      if (sums) trees.push({ kind, slug, version, prefix, closed: [''], sums, loose: '' })
    } catch (error) {
      if (!(error instanceof WordpressOrgUnreachable)) throw error
      notes.push('Plugins and themes could not be compared with their published files: WordPress.org did not respond.')
      return trees
    }
  }
  return trees
}
