import { readText } from '#features/servers/index.ts'
import { SiteSlug } from '#platform/contract/identifiers.ts'
import { exec } from '#platform/host/command.ts'
import { ensureFiles } from '#platform/host/ensure-files.ts'
import type { Host } from '#platform/host/host.ts'
import { folderLabel, SITES_FOLDER, siteFolder } from './paths.ts'

export const makeSiteFolder = async (host: Host, slug: string): Promise<void> => {
  await host.makeDir(siteFolder(slug), { mode: 0o711 })
  await host.writeFile(folderLabel(slug), `${slug}\n`, { mode: 0o600 })
}

/** Files next to those of the site that its container has mounted one by one. */
export const writeMounted = (
  host: Host,
  slug: string,
  texts: Record<string, string>,
  signal: AbortSignal,
): Promise<void> => ensureFiles(host, siteFolder(slug), { texts, inPlace: true, signal })

/** The site is stopped by then, so no one can put a link in the way of the deletion. */
export const removeSiteFolder = async (host: Host, slug: string): Promise<void> => {
  await host.run(exec('rm', '-rf', '--one-file-system', '--', siteFolder(slug)), { timeoutMs: 600_000 })
}

/** Names the job that created the folder of a site that was missing. What the disk of the site brings back has none. */
const markFile = (slug: string): string => `${siteFolder(slug)}/.restoring`

export const markFolder = (host: Host, slug: string, jobId: string): Promise<void> =>
  host.writeFile(markFile(slug), jobId, { mode: 0o600 })

export const isMarkedBy = async (host: Host, slug: string, jobId: string): Promise<boolean> =>
  (await readText(host, markFile(slug))) === jobId

export const unmarkFolder = (host: Host, slug: string): Promise<void> => host.removeFile(markFile(slug))

/** The sites that have files on the server. */
export const listFilled = async (host: Host, signal?: AbortSignal): Promise<Set<string>> => {
  const words = ['find', SITES_FOLDER, '-mindepth', '2', '-maxdepth', '2', '-name', 'html', '-type', 'd'] as const
  const { stdout } = await host.run(exec(...words, '-printf', '%P\\n'), { signal })
  return new Set(stdout.split('\n').map(path => path.replace(/\/html$/, '')))
}

/** Every folder on the server that could be a site's. */
export const listSiteFolders = async (host: Host): Promise<{ slug: string; isLabelled: boolean }[]> => {
  const labels = exec('find', SITES_FOLDER, '-mindepth', '2', '-maxdepth', '2', '-name', '.fleetpress-site')
  const { stdout } = await host.run(labels)
  const labelled = new Set(stdout.split('\n'))
  const names = (await host.listDir(SITES_FOLDER)).map(({ name }) => name)
  return names
    .filter(name => SiteSlug.safeParse(name).success)
    .map(slug => ({ slug, isLabelled: labelled.has(folderLabel(slug)) }))
}
