import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { DockerError } from '#drivers/docker/client.ts'
import { findContainer } from '#drivers/docker/containers.ts'
import {
  ask,
  askWithFile,
  runningFolder,
  type SiteFolder,
  type SiteRow,
  siteName,
  withFolder,
} from '#features/sites/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'

export type AsideWork = Pick<StepScope, 'hosts' | 'signal'>

const STAGE_MS = 10 * 60_000

/** What names stand for before a change and after it, by inode. The site says so, so nothing else is believed. */
const Staged = z.object({
  entries: z
    .array(z.object({ name: z.string().max(255), before: z.string().max(20), after: z.string().max(20) }))
    .max(1000),
})
type Entries = z.infer<typeof Staged>['entries']

/** A change that is prepared next to what it changes. */
export interface Change {
  /** Names the folder aside; made of the job's id. */
  readonly id: string
  /** The folder that the names are in. */
  readonly path: string
  readonly entries: Entries
}

interface Wanted {
  readonly id: string
  readonly path: string
  readonly name: string
  /** `item` is a zip, `core` a release of WordPress; without one the name is removed. */
  readonly format?: 'item' | 'core'
  readonly sums?: Readonly<Record<string, readonly string[]>> | undefined
  /** A file of the site, instead of the input. */
  readonly package?: string
  readonly input?: Readable
  /** The input as it lies on the server, in frames. */
  readonly serverFile?: string
}

/** Unpacks what should take the place of a name. Nothing of the site changes. */
export const stage = async (
  work: AsideWork,
  site: SiteRow,
  { input, serverFile, ...wanted }: Wanted,
): Promise<Change> => {
  const options = { signal: work.signal, timeoutMs: STAGE_MS }
  const folder = runningFolder(work, site)
  const request = { op: 'stage', ...wanted }
  const { entries } = await (serverFile === undefined
    ? ask(folder, request, Staged, { ...options, ...(input && { input }) })
    : askWithFile(folder, request, serverFile, Staged, options))
  return { id: wanted.id, path: wanted.path, entries }
}

const Done = z.unknown()

/** Makes the site what it is before or after the change. Done twice it does nothing, and WordPress has no part in it. */
export const swapTo = (work: AsideWork, site: SiteRow, side: 'before' | 'after', change: Change): Promise<void> => {
  const wanted = change.entries.map(entry => ({ name: entry.name, inode: entry[side] }))
  return inAnyFolder(work, site, async folder => {
    await ask(folder, { op: 'swap', id: change.id, path: change.path, wanted }, Done)
  })
}

export const unstage = (work: AsideWork, site: SiteRow, id: string): Promise<void> =>
  inAnyFolder(work, site, async folder => {
    await ask(folder, { op: 'unstage', id }, Done, { timeoutMs: STAGE_MS })
  })

const TRIES = 5
const PAUSE_MS = 1_000

const isOfContainer = (error: unknown): boolean =>
  (error instanceof DockerError && (error.status === 404 || error.status === 409)) ||
  (error instanceof Problem && error.code === 'bad_gateway')

/** Also while the site is down or is being stopped, for instance because its disk is full. What is done may be done twice. */
export const inAnyFolder = async <T>(
  work: AsideWork,
  site: SiteRow,
  act: (folder: SiteFolder) => Promise<T>,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act(runningFolder(work, site))
    } catch (error) {
      if (!isOfContainer(error)) throw error
      const found = await findContainer(dockerOf(work.hosts.get(site.server_id)), siteName(site.slug))
      if (!found || (found.state === 'running' && tries === TRIES)) throw error
      if (found.state !== 'running') return withFolder(work, site, { image: found.image, purpose: 'aside' }, act)
      await sleep(PAUSE_MS, undefined, { signal: work.signal })
    }
  }
}
