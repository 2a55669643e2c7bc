import type { Mount } from '#drivers/docker/container-spec.ts'
import { siteOwner } from '#features/stack/index.ts'
import { exec } from '#platform/host/command.ts'
import { findFile } from '#platform/host/find-file.ts'
import type { Host } from '#platform/host/host.ts'
import { htmlFolder, siteFolder } from '../paths.ts'
import type { SiteRow } from '../site-store.ts'

/**
 * The files that a site gets next lie in the folder around its own, which is root's, so that they take each other's place
 * by a rename. The site must not run while they do.
 */
const nextFolder = (slug: string): string => `${siteFolder(slug)}/html.next`
const oldFolder = (slug: string): string => `${siteFolder(slug)}/html.old`

const LIMIT_MS = 30 * 60_000
/** Of a site that has no files. */
const NEW_MODE = 0o755

const remove = async (host: Host, path: string): Promise<void> => {
  await host.run(exec('rm', '-rf', '--one-file-system', '--', path), { timeoutMs: LIMIT_MS })
}

const rename = (host: Host, from: string, to: string) => host.run(exec('mv', '-T', '--', from, to))

/** For a throwaway container that fills it and has no network. */
export const nextView = ({ slug }: SiteRow, target: string): Mount => ({ source: nextFolder(slug), target })

/** Empty, and the site's own. What an earlier exchange left is gone. */
export const makeNext = async (host: Host, site: SiteRow): Promise<void> => {
  const { slug } = site
  const { mode = NEW_MODE } = (await findFile(host, htmlFolder(slug))) ?? {}
  await remove(host, oldFolder(slug))
  await remove(host, nextFolder(slug))
  await host.makeDir(nextFolder(slug), { mode, owner: siteOwner(site) })
}

/** The same files once more without copying a byte, for a change of some of them. Nothing when the exchange has begun. */
export const linkNext = async (host: Host, { slug }: SiteRow): Promise<void> => {
  if (await findFile(host, oldFolder(slug))) return
  await remove(host, nextFolder(slug))
  await host.run(exec('cp', '--archive', '--link', '-T', '--', htmlFolder(slug), nextFolder(slug)), {
    timeoutMs: LIMIT_MS,
  })
}

/** Whether the exchange has begun. */
export const isSwapping = async (host: Host, { slug }: SiteRow): Promise<boolean> =>
  (await findFile(host, oldFolder(slug))) !== undefined

/** The next files become the site's; its own are kept aside. May be cut off anywhere and called again. */
export const swapNext = async (host: Host, { slug }: SiteRow): Promise<void> => {
  if (!(await findFile(host, nextFolder(slug)))) return
  const isLeft = await findFile(host, htmlFolder(slug))
  if (isLeft && !(await findFile(host, oldFolder(slug)))) await rename(host, htmlFolder(slug), oldFolder(slug))
  await rename(host, nextFolder(slug), htmlFolder(slug))
}

/** Harmless when nothing was exchanged. */
export const swapBack = async (host: Host, site: SiteRow): Promise<void> => {
  const { slug } = site
  if (!(await findFile(host, oldFolder(slug)))) return
  await swapOut(host, site)
  await rename(host, oldFolder(slug), htmlFolder(slug))
}

/** The site has no files any more: they are where its next ones would be. */
export const swapOut = async (host: Host, { slug }: SiteRow): Promise<void> => {
  if (!(await findFile(host, htmlFolder(slug)))) return
  await remove(host, nextFolder(slug))
  await rename(host, htmlFolder(slug), nextFolder(slug))
}

/** What was not taken, and what was there before. */
export const dropNext = async (host: Host, { slug }: SiteRow): Promise<void> => {
  await remove(host, nextFolder(slug))
  await remove(host, oldFolder(slug))
}
