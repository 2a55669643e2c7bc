import { compareVersions } from '#drivers/wordpress-org/compare-versions.ts'
import { checkUpdates, type ItemKind, type Offer, readInfo } from '#drivers/wordpress-org/directory.ts'
import { UnknownItem, WordpressOrgUnreachable } from '#drivers/wordpress-org/errors.ts'
import type { WordpressOrg } from '#drivers/wordpress-org/exchange.ts'
import { packagePathOf } from '#drivers/wordpress-org/fetch-package.ts'
import { readLatestVersion } from '#drivers/wordpress-org/releases.ts'
import type { CatalogOffer } from '#features/catalog/index.ts'
import type { InventoryItem } from '../inventory/read-inventory.ts'
import type { TaskOp } from './contract.ts'

/** What a site has when its task is planned. */
export interface Installed {
  readonly php: string
  readonly core: string
  readonly coreUpdate: string | null
  readonly locale: string
  readonly plugins: readonly InventoryItem[]
  readonly themes: readonly InventoryItem[]
}

/** One change as it will be done. */
export interface Planned {
  readonly kind: TaskOp['kind']
  readonly slug: string
  readonly action: TaskOp['action']
  /** What WordPress calls it: the file of a plugin, the folder of a theme. */
  readonly key: string
  readonly isActive: boolean
  readonly from: string | null
  readonly to: string | null
  /** Where its package is: a path at WordPress.org, a zip of the catalog, or with its author, who gives it only to the site. */
  readonly source: { readonly path: string } | { readonly zip: string } | 'author' | null
  /** Installed because it is in the catalog. */
  readonly isOfCatalog: boolean
  /** Why nothing is done. */
  readonly skip: string | null
  /** Skipped because it can't be done, not because it is as wanted already. */
  readonly isImpossible: boolean
}

/** What the catalog has, by folder. */
export type Catalog = ReadonlyMap<string, CatalogOffer>

/** What is known before the items are planned. */
interface Known {
  readonly installed: Installed
  readonly offers: ReadonlyMap<string, Offer>
  readonly catalog: Catalog
}

const isActive = ({ status }: InventoryItem) => status === 'active' || status === 'active-network'
const keyOf = (kind: ItemKind, { file, name }: InventoryItem) => (kind === 'plugin' ? file : name)

/** Decides what each operation means for this site, and why it is left out where it is. Changes nothing. */
export const planTask = async (
  service: WordpressOrg,
  ops: readonly TaskOp[],
  installed: Installed,
  catalog: Catalog = new Map(),
): Promise<Planned[]> => {
  const offers = {
    plugin: await offersFor(service, 'plugin', ops, installed.plugins),
    theme: await offersFor(service, 'theme', ops, installed.themes),
  }
  const planned: Planned[] = []
  for (const op of ops) {
    if (op.kind === 'core') planned.push(await planCore(service, op, installed))
    else planned.push(await planItem(service, op, op.kind, { installed, offers: offers[op.kind], catalog }, planned))
  }
  return authorsLast(planned)
}

/** The server of an author may be slow, which should delay nothing else. What is done to one item stays in its order. */
const authorsLast = (planned: readonly Planned[]): Planned[] => {
  const nameOf = ({ kind, slug }: Planned) => `${kind} ${slug}`
  const late = new Set(planned.filter(({ source }) => source === 'author').map(nameOf))
  const isLate = (item: Planned) => Number(late.has(nameOf(item)))
  return planned.toSorted((a, b) => isLate(a) - isLate(b))
}

/** The updates of WordPress.org, where it can be reached, and otherwise what the site itself knows. */
const offersFor = async (
  service: WordpressOrg,
  kind: ItemKind,
  ops: readonly TaskOp[],
  items: readonly InventoryItem[],
): Promise<ReadonlyMap<string, Offer>> => {
  const wanted = new Set(ops.filter(op => op.kind === kind && op.action === 'update').map(op => op.slug))
  const asked = items.filter(({ name }) => wanted.has(name))
  const found = await checkUpdates(
    service,
    kind,
    asked.map(item => ({ key: keyOf(kind, item), title: item.title, version: item.version })),
  ).catch((error: unknown) => {
    if (!(error instanceof WordpressOrgUnreachable)) throw error
    return new Map<string, Offer>()
  })
  const offers = new Map(found)
  for (const item of asked) {
    if (!item.update) continue
    const { package: packageUrl, ...update } = item.update
    const isOfAuthor = packageUrl !== '' && packagePathOf(service, packageUrl) === undefined
    if (isOfAuthor || !offers.has(keyOf(kind, item))) offers.set(keyOf(kind, item), { ...update, packageUrl })
  }
  return offers
}

const planCore = async (
  service: WordpressOrg,
  op: TaskOp,
  { core, coreUpdate, locale }: Installed,
): Promise<Planned> => {
  const newest = async () => readLatestVersion(service, locale).catch(() => coreUpdate ?? core)
  const to = op.version ?? (await newest())
  const isNewer = compareVersions(to, core) > 0
  return {
    ...blank(op),
    slug: 'core',
    isActive: true,
    from: core,
    to: isNewer ? to : null,
    skip: isNewer ? null : `WordPress is at ${core} already.`,
    isImpossible: compareVersions(to, core) < 0,
  }
}

const blank = ({ kind, slug = '', action }: TaskOp): Planned => ({
  kind,
  slug,
  action,
  key: slug,
  isActive: false,
  from: null,
  to: null,
  source: null,
  isOfCatalog: false,
  skip: null,
  isImpossible: false,
})

const planItem = async (
  service: WordpressOrg,
  op: TaskOp,
  kind: ItemKind,
  { installed, offers, catalog }: Known,
  before: readonly Planned[],
): Promise<Planned> => {
  const ofCatalog = kind === 'plugin' ? catalog.get(op.slug ?? '') : undefined
  const all = kind === 'plugin' ? installed.plugins : installed.themes
  const named = all.filter(({ name }) => name === op.slug)
  const found = named.find(item => offers.has(keyOf(kind, item))) ?? named.find(isActive) ?? named[0]
  const plan = { ...blank(op), isOfCatalog: op.from === 'catalog' }
  if (op.action === 'install') {
    if (found) return settled(plan, 'is installed already')
    return plan.isOfCatalog && ofCatalog ? withZip(plan, ofCatalog, installed) : install(service, plan, kind, installed)
  }
  const isComing = before.some(
    each => each.kind === kind && each.slug === op.slug && each.action === 'install' && !each.skip,
  )
  if (!found) return isComing ? plan : skipped(plan, "isn't installed on this site")
  if (found.status === 'must-use' || found.status === 'dropin') return skipped(plan, "can't be changed from here")
  const at = { ...plan, key: keyOf(kind, found), isActive: named.some(isActive), from: found.version }
  if (op.action === 'update') return update(service, at, offers.get(at.key), installed, ofCatalog)
  if (op.action === 'activate' && isActive(found)) return settled(at, 'is active already')
  if (op.action === 'deactivate' && !isActive(found)) return settled(at, "isn't active")
  if (op.action === 'delete' && kind === 'theme' && found.status !== 'inactive')
    return skipped(at, 'is the active theme or its parent. Activate another theme first')
  return at
}

const settled = (plan: Planned, why: string): Planned => ({ ...plan, skip: `${plan.slug} ${why}.` })
const skipped = (plan: Planned, why: string): Planned => ({ ...settled(plan, why), isImpossible: true })

const install = async (
  service: WordpressOrg,
  plan: Planned,
  kind: ItemKind,
  installed: Installed,
): Promise<Planned> => {
  try {
    const offer = await readInfo(service, kind, plan.slug)
    return withOffer(service, plan, offer, installed)
  } catch (error) {
    if (error instanceof UnknownItem) return skipped(plan, "isn't on WordPress.org")
    throw error
  }
}

const update = (
  service: WordpressOrg,
  plan: Planned,
  offer: Offer | undefined,
  installed: Installed,
  ofCatalog: CatalogOffer | undefined,
): Planned => {
  const isNewer = (version: string | undefined) =>
    version !== undefined && compareVersions(version, plan.from ?? '') > 0
  if (ofCatalog && isNewer(ofCatalog.version) && compareVersions(ofCatalog.version, offer?.version ?? '') >= 0)
    return withZip(plan, ofCatalog, installed)
  return offer && isNewer(offer.version)
    ? withOffer(service, plan, offer, installed)
    : settled(plan, `is up to date (${plan.from})`)
}

const withZip = (plan: Planned, offer: CatalogOffer, installed: Installed): Planned => {
  const to = { ...plan, to: offer.version }
  return refusedBySite(to, offer, installed) ?? { ...to, source: { zip: offer.sha256 } }
}

const withOffer = (service: WordpressOrg, plan: Planned, offer: Offer, installed: Installed): Planned => {
  const { version, packageUrl } = offer
  const to = { ...plan, to: version }
  const refused = refusedBySite(to, offer, installed)
  if (refused) return refused
  if (packageUrl === '') return skipped(to, `${version} can't be downloaded. Check its license`)
  const path = packagePathOf(service, packageUrl)
  return { ...to, source: path === undefined ? 'author' : { path } }
}

/** A version that needs more than the site has. */
const refusedBySite = (
  to: Planned,
  { version, requiresPhp, requiresWordpress }: Pick<Offer, 'version' | 'requiresPhp' | 'requiresWordpress'>,
  { php, core }: Installed,
): Planned | undefined => {
  if (requiresPhp !== '' && compareVersions(php, requiresPhp) < 0)
    return skipped(to, `${version} needs PHP ${requiresPhp}, and this site has ${php}`)
  if (requiresWordpress !== '' && compareVersions(core, requiresWordpress) < 0)
    return skipped(to, `${version} needs WordPress ${requiresWordpress}, and this site has ${core}`)
  return undefined
}
