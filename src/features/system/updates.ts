import { join } from 'node:path'
import type { z } from 'zod'
import { OWN_SERVER } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { findCheck, saveCheck } from './check-store.ts'
import { type Release, Update } from './contract.ts'
import { compareReleases, type Feed, type FeedRelease, findNewer, newestFirst } from './feed/feed.ts'
import { readFeed } from './feed/read-feed.ts'
import { installKind, whyNotUpdated } from './install.ts'
import { endUnchanged, findInterrupted, hasChanged } from './interrupted.ts'
import { launchUpdate } from './launch.ts'
import { updateSettings } from './settings.ts'
import { findUpdate, forgetUpdate, saveUpdate, UPDATE_STEPS, type UpdateState } from './update-state.ts'

const showRelease = ({ version, publishedAt, notes, sizeBytes }: FeedRelease): z.input<typeof Release> => ({
  version,
  publishedAt,
  notes,
  sizeBytes,
})

export const showUpdate = (state: UpdateState): z.input<typeof Update> => Update.parse(state)

/** Reads the feed now and keeps what it says; what is wrong with it is kept and thrown. */
export const checkFeed = async (scope: Scope): Promise<Feed> => {
  const { db } = scope
  const before = await findCheck(db)
  const { feedUrl } = await scope.settings.read(updateSettings)
  const kept = before?.feed ?? null
  try {
    const feed = await readFeed(feedUrl, kept?.issuedAt ?? 0)
    await saveCheck(db, { checkedAt: scope.now(), feed, problem: null })
    return feed
  } catch (error) {
    if (error instanceof Problem && error.code === 'bad_gateway')
      await saveCheck(db, { checkedAt: scope.now(), feed: kept, problem: error.message })
    throw error
  }
}

export const listReleases = async ({ db }: Scope) => {
  const feed = (await findCheck(db))?.feed
  return feed ? newestFirst(feed).map(showRelease) : []
}

export const availableIn = (feed: Feed | null | undefined, current: string) => {
  const newer = feed ? findNewer(feed, current) : undefined
  return newer ? showRelease(newer) : null
}

export const showUpdates = async ({ db, installation }: Scope) => {
  const check = await findCheck(db)
  const update = findUpdate(installation.dataDir)
  return {
    current: installation.version,
    available: availableIn(check?.feed, installation.version),
    checkedAt: check?.checkedAt ?? null,
    problem: whyNotUpdated[installKind(installation.root)] ?? check?.problem ?? null,
    update: update ? showUpdate(update) : null,
  }
}

const chooseRelease = (feed: Feed, wanted: string | undefined, current: string): FeedRelease => {
  const found =
    wanted === undefined ? findNewer(feed, current) : feed.releases.find(({ version }) => version === wanted)
  if (!found && wanted === undefined) throw new Problem('conflict', `Version ${current} is the newest.`)
  if (!found) throw new Problem('not_found', `The release feed has no version ${wanted}.`)
  if (compareReleases(found.version, current) <= 0)
    throw new Problem('conflict', `Version ${found.version} is not newer than ${current}, which is installed.`)
  return found
}

export const startUpdate = async (scope: Scope, wanted: string | undefined): Promise<UpdateState> => {
  const { installation, hosts } = scope
  const { root, dataDir, version: from } = installation
  const reason = whyNotUpdated[installKind(root)]
  if (reason !== null) throw new Problem('conflict', reason)
  const interrupted = findInterrupted(dataDir, scope.now())
  if (interrupted && !hasChanged(interrupted)) endUnchanged(dataDir, interrupted, scope.now())
  if (findUpdate(dataDir)?.status === 'running') throw new Problem('conflict', 'An update is already running.')
  const release = chooseRelease(await checkFeed(scope), wanted, from)
  const state: UpdateState = {
    id: newId(),
    from,
    to: release.version,
    status: 'running',
    startedAt: scope.now(),
    finishedAt: null,
    error: null,
    steps: Object.entries(UPDATE_STEPS).map(([id, label]) => ({ id, label, status: 'waiting' })),
    oldRoot: root,
    newRoot: join(root, '..', release.version),
    by: 'process',
    variables: {},
  }
  saveUpdate(dataDir, state)
  try {
    await launchUpdate(hosts.get(OWN_SERVER), installation, state)
  } catch (error) {
    forgetUpdate(dataDir)
    throw error
  }
  return state
}
