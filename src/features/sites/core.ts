import { randomBytes } from 'node:crypto'
import type { CoreArchive } from '#drivers/wordpress-org/core-cache.ts'
import { fetchCore } from '#drivers/wordpress-org/fetch-core.ts'
import { unpackCore } from '#drivers/wordpress-org/unpack-core.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { inTurn } from '#platform/turn/in-turn.ts'
import { CORE_FOLDER, coreFolder, WWW_DATA } from './places.ts'
import type { SiteRow } from './site-store.ts'

type Work = Pick<StepContext, 'hosts' | 'place' | 'signal' | 'say' | 'now'>

interface Core {
  readonly version: string
  /** An unpacked WordPress on the server, to copy new sites from. */
  readonly folder: string
}

/** So long a release counts as the latest without asking again: a new site must not wait for a stranger each time. */
const FRESH_MS = 15 * 60_000
const EACH = ['-mindepth', '1', '-maxdepth', '1']
const REMOVED = ['-exec', 'rm', '-rf', '--', '{}', '+']
const known = new Map<string, { archive: CoreArchive; untilMs: number }>()

/** Brought to the server once per version and language. */
export const ensureCore = async (work: Work, site: SiteRow): Promise<Core> => {
  const archive = await latestFor(work, site.locale)
  const { version, locale } = archive
  if (locale !== site.locale)
    throw new Problem(
      'conflict',
      `WordPress ${version} is not to be had in ${site.locale}. The options of a new site list the languages that are.`,
    )
  const host = work.hosts.get(site.server_id)
  const folder = coreFolder(version, locale)
  if (!(await isFolder(host, folder))) {
    work.say(`WordPress ${version} is brought to the server.`)
    const { signal } = work
    await besideFirst(host, folder, async unfinished => {
      await host.makeDir(unfinished, { owner: WWW_DATA })
      await unpackCore(host, { archive: archive.path, folder: unfinished, owner: WWW_DATA, signal })
    })
  }
  return { version, folder }
}

const latestFor = async ({ hosts, place, signal, now }: Work, locale: string): Promise<CoreArchive> => {
  const cacheDir = `${place.dataDir}/cache`
  const key = `${cacheDir} ${locale}`
  const found = known.get(key)
  if (found && found.untilMs > now()) return found.archive
  const archive = await fetchCore({ version: 'latest', locale, cacheDir, host: hosts.get(OWN_SERVER), signal })
  known.set(key, { archive, untilMs: now() + FRESH_MS })
  return archive
}

/** Puts a copy at this place: the spare one, which takes no time, or else one made now. */
export const takeCore = async (host: Host, folder: string, target: string, signal: AbortSignal): Promise<void> =>
  inTurn(spareTurn(host, folder), async () => {
    const spare = spareOf(folder)
    if (await isFolder(host, spare)) await host.run(exec('mv', '-T', '--', spare, target), { signal })
    else await copy(host, folder, target, signal)
  })

/** For the next site. Whoever asks for a copy meanwhile waits for this one. */
export const keepSpare = (host: Host, folder: string): Promise<void> =>
  inTurn(spareTurn(host, folder), async () => {
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
const spareTurn = (host: Host, folder: string) => `spare ${host.name} ${folder}`

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

const isFolder = async (host: Host, path: string): Promise<boolean> => {
  try {
    return (await host.stat(path)).kind === 'directory'
  } catch (error) {
    if (error instanceof FileNotFound) return false
    throw error
  }
}
