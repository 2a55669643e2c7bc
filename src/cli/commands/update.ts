import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withLocalScope } from '#app/local-scope.ts'
import {
  checkFeed,
  compareReleases,
  type Feed,
  type FeedRelease,
  findUpdate,
  hasBegun,
  installKind,
  UPDATE_STEPS,
  type UpdateState,
  updateFolder,
  updateLock,
  updateSettings,
  whyNotUpdated,
} from '#features/system/index.ts'
import { type Config, readConfig } from '#platform/config/config.ts'
import { endMaintenance, sayMaintenance } from '#platform/config/maintenance.ts'
import { newId } from '#platform/db/id.ts'
import { confirm } from '../ask.ts'
import { EXIT, Failure, messageOf } from '../failure.ts'
import { environmentOfPanel } from '../panel/environment.ts'
import { withLock } from '../panel/lock.ts'
import { findRunning } from '../panel/running.ts'
import { ROOT, readVersion } from '../repository.ts'
import { out, say } from '../terminal.ts'
import { variablesOf } from '../update/environment.ts'
import { checkRoom, download, installPackages, tryRelease, unpack } from '../update/prepare.ts'
import { settleHeld, settleInterrupted } from '../update/settle.ts'
import { stepsOf, type UpdateSteps } from '../update/steps.ts'
import { copyDatabase, goBack, keepTwo, pointTo, startVersion, stopPanel, watchHealth } from '../update/switch.ts'

interface UpdateOptions {
  yes?: boolean
  /** Of an update that the panel has written down already. */
  id?: string
  /** Only ends what an interrupted update left behind. */
  settle?: boolean
}

const SAY_EVERY_MS = 5000

interface ReadFeed extends Pick<Feed, 'releases'> {
  feedUrl: string
}

/** The panel remembers the newest feed that it or this command has read, and neither takes an older one. */
const readFeed = (config: Config): Promise<ReadFeed> =>
  withLocalScope(config, async scope => {
    const { releases } = await checkFeed(scope)
    return { releases, feedUrl: (await scope.settings.read(updateSettings)).feedUrl }
  })

const chooseRelease = ({ releases }: ReadFeed, wanted: string | undefined): FeedRelease => {
  const newest = releases.toSorted((a, b) => compareReleases(b.version, a.version))[0]
  const found = wanted === undefined ? newest : releases.find(({ version }) => version === wanted)
  if (!found) throw new Failure(`The release feed has no version ${wanted ?? 'at all'}.`, EXIT.notFound)
  if (compareReleases(found.version, readVersion()) <= 0)
    throw new Failure(`Version ${found.version} is not newer than ${readVersion()}, which is installed.`, EXIT.conflict)
  return found
}

const newState = (to: string, by: UpdateState['by']): UpdateState => ({
  id: newId(),
  from: readVersion(),
  to,
  status: 'running',
  startedAt: Date.now(),
  finishedAt: null,
  error: null,
  steps: Object.entries(UPDATE_STEPS).map(([id, label]) => ({ id, label, status: 'waiting' })),
  oldRoot: ROOT,
  newRoot: join(dirname(ROOT), to),
  by,
  variables: {},
})

interface Work {
  config: Config
  env: NodeJS.ProcessEnv
  steps: UpdateSteps
}

const prepare = async ({ config, env, steps }: Work): Promise<void> => {
  const { state } = steps
  const archive = join(updateFolder(config.dataDir), 'release.tar.gz')
  const { feedUrl, release } = await steps.run('check', async () => {
    const feed = await readFeed(config)
    const chosen = chooseRelease(feed, state.to)
    await checkRoom(chosen, config.dataDir, dirname(ROOT))
    return { feedUrl: feed.feedUrl, release: chosen }
  })
  try {
    await steps.run('download', () => download(feedUrl, release, archive))
    await steps.run('unpack', () => unpack(archive, state))
  } finally {
    rmSync(archive, { force: true })
  }
  await steps.run('packages', () => installPackages(state, env))
  await steps.run('trial', () => tryRelease(config, state, env))
}

/** The update stays unfinished, so that the next `up` tries again. */
class NotBack extends Failure {}

/** From here on the panel refuses changes, until the new version has shown that it works, or the old one is back. */
const replace = async ({ config, env, steps }: Work): Promise<void> => {
  const { state } = steps
  sayMaintenance(config.dataDir)
  const saying = setInterval(() => sayMaintenance(config.dataDir), SAY_EVERY_MS)
  try {
    await steps.run('stop', () => stopPanel(config, state))
    await steps.run('copy', () => copyDatabase(config))
    await steps.run('start', () => {
      pointTo(state.newRoot)
      return startVersion(state.newRoot, state, env)
    })
    await steps.run('watch', () => watchHealth(config, state))
  } catch (error) {
    say(`${messageOf(error)} Going back to version ${state.from} …`)
    await goBack(config, state, env).catch((problem: unknown) => {
      throw new NotBack(
        `Version ${state.from} couldn't be brought back: ${messageOf(problem)} Fix that, then run \`./fleetpress up\`.`,
      )
    })
    throw error
  } finally {
    clearInterval(saying)
    endMaintenance(config.dataDir)
  }
}

const carryOut = async (work: Work): Promise<void> => {
  const { config, steps } = work
  const { state } = steps
  try {
    await prepare(work)
    await replace(work)
  } catch (error) {
    if (error instanceof NotBack) throw error
    steps.end(hasBegun(state, 'stop') ? 'rolled_back' : 'failed', messageOf(error))
    throw new Failure(`The update failed, and version ${state.from} is still in use: ${messageOf(error)}`)
  }
  steps.end('succeeded', null)
  keepTwo(config.dataDir, state)
  out(`Fleetpress ${state.to} is running. Version ${state.from} is kept in ${state.oldRoot}.`)
}

/** What the panel has written down already, or a new one once the person has agreed. */
const begin = async (
  before: UpdateState | undefined,
  { wanted, config, by }: { wanted: string | undefined; config: Config; by: UpdateState['by'] },
  options: UpdateOptions,
): Promise<UpdateState> => {
  if (before && before.id === options.id) return { ...before, by }
  const { version } = chooseRelease(await readFeed(config), wanted)
  await confirm(`This updates the panel from ${readVersion()} to ${version}. Sites keep running.`, options.yes === true)
  return newState(version, by)
}

/** Updates the panel of this machine to a release of the feed. */
export const update = async (wanted: string | undefined, options: UpdateOptions): Promise<void> => {
  const config = readConfig(process.env)
  if (options.settle) return void (await settleInterrupted(config.dataDir))
  const reason = whyNotUpdated[installKind(ROOT)]
  if (reason !== null) throw new Failure(reason, EXIT.conflict)
  await withLock(updateLock(config.dataDir), async () => {
    const before = findUpdate(config.dataDir)
    if (before?.status === 'running' && (before.id !== options.id || hasBegun(before, 'check'))) {
      const settled = await settleHeld(config.dataDir)
      return out(`An earlier update was interrupted. Version ${settled?.version} is in use. Run this again to update.`)
    }
    const running = findRunning(config.dataDir)
    const variables = running ? variablesOf(running) : {}
    const env = { ...environmentOfPanel(process.env, config.dataDir), ...variables }
    const whole = readConfig(env)
    const begun = await begin(before, { wanted, config: whole, by: running?.by ?? 'process' }, options)
    const steps = stepsOf(config.dataDir, { ...begun, variables })
    await carryOut({ config: whole, env, steps })
  })
}
