import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { readPluginChecksums } from '#drivers/wordpress-org/directory.ts'
import { fetchCore } from '#drivers/wordpress-org/fetch-core.ts'
import { fetchPackage } from '#drivers/wordpress-org/fetch-package.ts'
import { copyPath, listCopies, openZip } from '#features/catalog/index.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import { wordpressOrgOf } from '#features/sites/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import { Problem } from '#platform/contract/problem.ts'
import { runScript } from '../run-script.ts'
import { stage, swapTo } from './aside.ts'
import { downloadFromAuthor } from './author-package.ts'
import { choose, readChoices, restoreChoices } from './choices.ts'
import { clearCode } from './clear-code.ts'
import { removeIfThere } from './one-file.ts'
import type { Planned } from './plan.ts'
import { brokenPages, endMaintenance, quietly } from './probe.ts'
import type { ItemWork } from './task.ts'

const HOOKS_MS = 10 * 60_000

/** An item that the site did not survive; the message says what no longer works. */
export class ItemBroke extends CodedError {
  constructor(message: string, output = '') {
    super('item_broke', message, { output })
  }
}

/** Does the change and looks at the site. Throws when it fails or breaks the site; `rollBack` then undoes it. */
export const changeItem = async (work: ItemWork): Promise<void> => {
  const { item, begun } = work
  const isFiles = item.action === 'update' || item.action === 'install' || item.action === 'delete'
  const isChosen = item.action !== 'update' && item.action !== 'install'
  // While the site is looked at, what should take its place is brought.
  const looking = begun.health ?? lookBefore(work)
  Promise.resolve(looking).catch(() => {})
  if (isFiles && item.action !== 'delete') await prepareFiles(work)
  if (isChosen && !begun.choices) begun.choices = await readChoices(work.context, work.site)
  begun.health = await looking
  requireStillUp(work)
  await work.context.save()
  if (isChosen) {
    // Someone may have changed its files a moment ago.
    await clearCode(work.context, work.site, codeOf(item))
    await chooseItem(work)
  }
  if (item.action === 'delete') await prepareFiles(work)
  if (begun.change) await replaceFiles(work)
  await requireHealth(work)
}

/** Also when it was done in part, and whether or not WordPress still starts. */
export const rollBack = async ({ context, site, item, begun, probe }: ItemWork): Promise<void> => {
  probe.forget()
  if (begun.change) await swapTo(context, site, 'before', begun.change)
  await clearCode(context, site, codeOf(item))
  if (begun.choices) await restoreChoices(context, site, begun.choices)
  if (!context.state.wasInMaintenance) await endMaintenance(context, site)
}

/** A plugin may be a single file. */
const nameOf = ({ kind, key, slug }: Planned): string =>
  kind === 'plugin' && !key.includes('/') && key.endsWith('.php') ? key : slug

/** Where the code of an item is; that of the core is everywhere. */
const codeOf = (item: Planned): string => (item.kind === 'core' ? '' : `wp-content/${item.kind}s/${nameOf(item)}`)

const lookBefore = async ({ context, item, probe }: ItemWork) => {
  if (!context.input.healthCheck) return {}
  const hasPages = item.kind === 'plugin' && item.isActive
  const [pages] = await Promise.all([hasPages ? probe.pagesOf(item.slug) : [], probe.signIn()])
  return probe.recall(pages ?? [], context.state.wasInMaintenance ?? false)
}

/** A site that is down to begin with may be updated back to life; one that went down since must not be changed blindly. */
const requireStillUp = ({ context: { state }, begun: { health = {} } }: ItemWork): void => {
  const isUp = health['/'] ?? true
  state.wasUp ??= isUp
  if (state.wasUp && !isUp) throw new CodedError('site_down', 'The site no longer responds. Nothing was changed.')
}

const requireHealth = async ({ context, item, begun, probe }: ItemWork): Promise<void> => {
  if (!context.input.healthCheck) return
  const isActive = item.kind === 'plugin' && (item.isActive || item.action === 'activate') && item.action !== 'delete'
  const pages = isActive ? await probe.pagesOf(item.slug) : []
  const after = await probe.look(pages ?? [], context.state.wasInMaintenance ?? false)
  const [first] = brokenPages(begun.health ?? {}, after)
  if (first !== undefined) throw new ItemBroke(`${first} no longer worked.`)
  const didStart = Object.values(begun.health ?? {}).every(isFine => isFine)
  if (pages === undefined && didStart) throw new ItemBroke('The menu of wp-admin no longer worked.')
}

const chooseItem = async ({ context, site, item }: ItemWork): Promise<void> => {
  if (item.kind === 'theme') {
    if (item.action === 'activate') await choose(context, site, { action: 'activate-theme', item: item.key })
    return
  }
  const key = item.key === item.slug ? await findPluginFile({ context, site, item }) : item.key
  if (item.action === 'activate') return choose(context, site, { action: 'activate', item: key })
  if (item.isActive) await choose(context, site, { action: 'deactivate', item: key })
  if (item.action === 'delete') await choose(context, site, { action: 'uninstall', item: key })
}

const Plugins = z.object({ plugins: z.array(z.object({ file: z.string(), name: z.string() })) })

/** A plugin that was installed a moment ago has a file that only WordPress knows. */
const findPluginFile = async ({
  context,
  site,
  item,
}: Pick<ItemWork, 'context' | 'site' | 'item'>): Promise<string> => {
  const { plugins } = await runScript(context, site, 'inventory', { answer: Plugins })
  const found = plugins.find(({ name }) => name === item.slug)
  if (!found) throw new CodedError('not_installed', `${item.slug} isn't installed.`)
  return found.file
}

/** Brings what should take its place next to it. */
const prepareFiles = async (work: ItemWork): Promise<void> => {
  const { context, site, item, begun, id } = work
  if (begun.change) return
  if (item.kind === 'core') {
    begun.change = await stageCore(work)
  } else {
    const wanted = { id, path: `wp-content/${item.kind}s`, name: nameOf(item) }
    begun.change = item.action === 'delete' ? await stage(context, site, wanted) : await stageItem(work, wanted)
  }
  // From here on the site may differ from what it was, and what it was is known.
  await context.save()
}

const stageItem = async (work: ItemWork, wanted: { id: string; path: string; name: string }) => {
  const { context, site, item } = work
  if (item.source === 'author') return stageFromAuthor(work, wanted)
  if (item.source && 'zip' in item.source) return stageZip(work, wanted, item.source.zip)
  const service = { ...(await wordpressOrgOf(context)), signal: context.signal }
  const cacheDir = `${context.installation.dataDir}/cache`
  const file = await fetchPackage({ service, path: item.source?.path ?? '', cacheDir })
  const sums = item.kind === 'plugin' ? await readPluginChecksums(service, item.slug, item.to ?? '') : undefined
  return stage(context, site, { ...wanted, format: 'item', sums, input: createReadStream(file) })
}

/** From the server's own copy where it has one, otherwise from the panel. */
const stageZip = async (
  { context, site }: ItemWork,
  wanted: { id: string; path: string; name: string },
  sha256: string,
) => {
  const item = { ...wanted, format: 'item' as const }
  const fromPanel = () => stage(context, site, { ...item, input: openZip(context.installation, sha256) })
  const copies = await listCopies(context.db, site.server_id)
  if (!copies.some(copy => copy.sha256 === sha256)) return fromPanel()
  return stage(context, site, { ...item, serverFile: copyPath(sha256) }).catch((error: unknown) => {
    // Someone may have removed it from the server.
    if (error instanceof Problem && error.code === 'bad_gateway') return fromPanel()
    throw error
  })
}

const stageFromAuthor = async (work: ItemWork, wanted: { id: string; path: string; name: string }) => {
  const { context, site, id } = work
  const file = `.fleetpress-package-${id}.zip`
  await downloadFromAuthor(work, file)
  try {
    return await stage(context, site, { ...wanted, format: 'item', package: file })
  } finally {
    await removeIfThere(context, site, file)
  }
}

const stageCore = async ({ context, site, item, id }: ItemWork) => {
  const archive = await fetchCore({
    version: item.to ?? '',
    locale: site.locale,
    service: await wordpressOrgOf(context),
    cacheDir: `${context.installation.dataDir}/cache`,
    host: context.hosts.get(OWN_SERVER),
    signal: context.signal,
  })
  return stage(context, site, { id, path: '', name: '', format: 'core', input: createReadStream(archive.path) })
}

/** The swap itself, then all that WordPress wants to know of it. A hook that fails shows when the site is looked at. */
const replaceFiles = async ({ context, site, item, begun }: ItemWork): Promise<void> => {
  if (!begun.change) return
  await swapTo(context, site, 'after', begun.change)
  await clearCode(context, site, codeOf(item))
  if (item.action === 'delete') return
  const question = { kind: item.kind, item: item.key, action: item.action }
  const answer = z.object({ done: z.boolean() })
  const options = { answer, question, load: 'admin', timeoutMs: HOOKS_MS } as const
  await quietly(runScript(context, site, 'after-update', options))
}
