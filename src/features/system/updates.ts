import { join } from 'node:path'
import type { z } from 'zod'
import { OWN_SERVER } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { findCheck } from './check-store.ts'
import { type Release, Update } from './contract.ts'
import { checkFeed } from './feed/check-feed.ts'
import { compareReleases, type Feed, type FeedRelease, findNewer, newestFirst } from './feed/feed.ts'
import { NO_FEED, NO_KEYS, TRUSTED_KEYS } from './feed/read-feed.ts'
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

export const listReleases = async ({ db }: Scope) => {
  const feed = (await findCheck(db))?.feed
  return feed ? newestFirst(feed).map(showRelease) : []
}

export const availableIn = (feed: Feed | null | undefined, current: string) => {
  const newer = feed ? findNewer(feed, current) : undefined
  return newer ? showRelease(newer) : null
}

/** What keeps this install from updating itself, whatever the feed says; null when nothing does. */
const obstacle = async ({ installation, settings }: Scope): Promise<string | null> => {
  const reason = whyNotUpdated[installKind(installation.root)]
  if (reason !== null) return reason
  if (TRUSTED_KEYS.length === 0) return NO_KEYS
  return (await settings.read(updateSettings)).feedUrl === '' ? NO_FEED : null
}

/** Once a night, so that people are told of a new release; an install that can't update asks no one. */
export const checkAtNight = async (scope: Scope): Promise<string> => {
  if ((await obstacle(scope)) !== null) return 'This install does not update itself.'
  try {
    const newer = findNewer(await checkFeed(scope), scope.installation.version)
    return newer ? `Version ${newer.version} of the panel is available.` : 'This is the newest version of the panel.'
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

export const showUpdates = async (scope: Scope) => {
  const { db, installation } = scope
  const check = await findCheck(db)
  const update = findUpdate(installation.dataDir)
  return {
    current: installation.version,
    available: availableIn(check?.feed, installation.version),
    checkedAt: check?.checkedAt ?? null,
    problem: (await obstacle(scope)) ?? check?.problem ?? null,
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
