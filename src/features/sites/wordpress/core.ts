import { randomBytes } from 'node:crypto'
import type { CoreArchive } from '#drivers/wordpress-org/core-cache.ts'
import { fetchCore } from '#drivers/wordpress-org/fetch-core.ts'
import { unpackCore } from '#drivers/wordpress-org/unpack-core.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec } from '#platform/host/command.ts'
import { findFile } from '#platform/host/find-file.ts'
import type { Host, Owner } from '#platform/host/host.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { CORE_FOLDER, coreFolder } from '../paths.ts'
import type { SiteRow } from '../site-store.ts'
import { removeUnused } from './lean-core.ts'
import { wordpressOrgOf } from './wordpress-org.ts'

type Work = Pick<StepContext, 'hosts' | 'installation' | 'settings' | 'signal' | 'say' | 'now'>

interface Core {
  readonly version: string
  /** An unpacked WordPress on the server, to copy new sites from. */
  readonly folder: string
}

/** So long a release counts as the latest without asking again: a new site must not wait for a stranger each time. */
const FRESH_MS = 15 * 60_000
const EACH = ['-mindepth', '1', '-maxdepth', '1']
const REMOVED = ['-exec', 'rm', '-rf', '--', '{}', '+']
/** No site can change what others are copied from. */
const ROOT_OWNER: Owner = { uid: 0, gid: 0 }
const latest = new Map<string, { archive: CoreArchive; untilMs: number }>()

/** Brought to the server once per version and language. */
export const ensureCore = async (work: Work, site: SiteRow): Promise<Core> => {
  const archive = await latestFor(work, site.locale)
  const { version, locale } = archive
  if (locale !== site.locale)
    throw new Problem(
      'conflict',
      `WordPress ${version} is not available in ${site.locale}. See the new site options for available languages.`,
    )
  const host = work.hosts.get(site.server_id)
  const folder = coreFolder(version, locale)
  if (!(await isFolder(host, folder))) {
    work.say(`Copying WordPress ${version} to the server.`)
    const { signal } = work
    await besideFirst(host, folder, async unfinished => {
      await host.makeDir(unfinished, { owner: ROOT_OWNER })
      await unpackCore(host, { archive: archive.path, folder: unfinished, owner: ROOT_OWNER, signal })
      await removeUnused(host, unfinished, signal)
    })
  }
  return { version, folder }
}

const latestFor = async (work: Work, locale: string): Promise<CoreArchive> => {
  const { hosts, installation, signal, now } = work
  const cacheDir = `${installation.dataDir}/cache`
  const service = await wordpressOrgOf(work)
  const key = `${cacheDir} ${locale} ${service.api} ${service.downloads}`
  const found = latest.get(key)
  if (found && found.untilMs > now()) return found.archive
  const archive = await fetchCore({ version: 'latest', locale, cacheDir, service, host: hosts.get(OWN_SERVER), signal })
  latest.set(key, { archive, untilMs: now() + FRESH_MS })
  return archive
}

interface NewFiles {
  readonly target: string
  readonly owner: Owner
}

/** Puts a copy at this place: the spare one, which takes no time, or else one made now. */
export const takeCore = async (
  host: Host,
  folder: string,
  { target, owner }: NewFiles,
  signal: AbortSignal,
): Promise<void> =>
  inSequence(spareKey(host, folder), async () => {
    const spare = spareOf(folder)
    if (!(await isFolder(host, spare)))
      await besideFirst(host, spare, unfinished => copy(host, folder, unfinished, signal))
    // No site has seen these files yet, so none can put a link in the way.
    await host.run(exec('chown', '-hR', `${owner.uid}:${owner.gid}`, '--', spare), { signal })
    await host.run(exec('mv', '-T', '--', spare, target), { signal })
  })

/** For the next site. Anyone who asks for a copy in the meantime waits for this one. */
export const keepSpare = (host: Host, folder: string): Promise<void> =>
  inSequence(spareKey(host, folder), async () => {
    if (await isFolder(host, spareOf(folder))) return
    // What a panel that was ended has left unfinished; what is being made is younger.
    await host.run(exec('find', CORE_FOLDER, ...EACH, '-name', '*.part', '-cmin', '+60', ...REMOVED))
    await removeOtherVersions(host, folder)
    await besideFirst(host, spareOf(folder), unfinished => copy(host, folder, unfinished))
  })

/** No new site gets them. A site that was begun before this version came has its copy by now. */
const removeOtherVersions = async (host: Host, folder: string): Promise<void> => {
  const { stdout: isSettled } = await host.run(exec('find', folder, '-maxdepth', '0', '-mmin', '+60'))
  if (isSettled === '') return
  const [version] = folder.slice(CORE_FOLDER.length + 1).split('-')
  await host.run(exec('find', CORE_FOLDER, ...EACH, '-not', '-name', `${version}-*`, ...REMOVED))
}

const spareOf = (folder: string) => `${folder}.spare`
const spareKey = (host: Host, folder: string) => `spare ${host.name} ${folder}`

const copy = async (host: Host, folder: string, target: string, signal?: AbortSignal): Promise<void> => {
  await host.run(exec('cp', '--archive', '--reflink=auto', '--', folder, target), { signal })
}

/** Makes a folder under another name and then renames it, so that it is there as a whole or not at all. */
const besideFirst = async (host: Host, folder: string, make: (unfinished: string) => Promise<void>): Promise<void> => {
  const unfinished = `${folder}.${randomBytes(6).toString('hex')}.part`
  try {
    await make(unfinished)
    await host.run(exec('mv', '-T', '--', unfinished, folder))
  } catch (error) {
    await host.run(exec('rm', '-rf', '--', unfinished)).catch(() => {})
    throw error
  }
}

const isFolder = async (host: Host, path: string): Promise<boolean> =>
  (await findFile(host, path))?.kind === 'directory'
