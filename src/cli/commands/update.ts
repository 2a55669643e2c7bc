import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withLocalScope } from '#app/local-scope.ts'
import {
  compareReleases,
  type FeedRelease,
  findUpdate,
  installKind,
  readFeed,
  UPDATE_STEPS,
  type UpdateState,
  type UpdateStep,
  updateFolder,
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
import { stepsOf, type UpdateSteps } from '../update/steps.ts'
import { copyDatabase, forgetOld, goBack, pointTo, startVersion, stopPanel, watchHealth } from '../update/switch.ts'

interface UpdateOptions {
  yes?: boolean
  /** Of an update that the panel has written down already. */
  id?: string
}

const SAY_EVERY_MS = 5000

const feedUrlOf = (config: Config): Promise<string> =>
  withLocalScope(config, async ({ settings }) => (await settings.read(updateSettings)).feedUrl)

const chooseRelease = async (feedUrl: string, wanted: string | undefined): Promise<FeedRelease> => {
  const { releases } = await readFeed(feedUrl, 0)
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
})

interface Work {
  config: Config
  env: NodeJS.ProcessEnv
  steps: UpdateSteps
}

const prepare = async ({ config, env, steps }: Work, feedUrl: string, wanted: string): Promise<void> => {
  const { state } = steps
  const archive = join(updateFolder(config.dataDir), 'release.tar.gz')
  let release: FeedRelease | undefined
  await steps.run('check', async () => {
    release = await chooseRelease(feedUrl, wanted)
    await checkRoom(release, config.dataDir, dirname(ROOT))
  })
  try {
    await steps.run('download', () => (release ? download(feedUrl, release, archive) : undefined))
    await steps.run('unpack', () => unpack(archive, state))
  } finally {
    rmSync(archive, { force: true })
  }
  await steps.run('packages', () => installPackages(state, env))
  await steps.run('trial', () => tryRelease(config, state, env))
}

/** From here on the panel refuses changes, until the new version has shown that it works, or the old one is back. */
const replace = async ({ config, env, steps }: Work): Promise<void> => {
  const { state } = steps
  sayMaintenance(config.dataDir)
  const saying = setInterval(() => sayMaintenance(config.dataDir), SAY_EVERY_MS)
  try {
    await steps.run('stop', () => stopPanel(config))
    await steps.run('copy', () => copyDatabase(config))
    await steps.run('start', () => {
      pointTo(state.newRoot)
      return startVersion(state.newRoot, state, env)
    })
    await steps.run('watch', () => watchHealth(config, state))
  } catch (error) {
    say(`${messageOf(error)} Going back to version ${state.from} …`)
    await goBack(config, state, env)
    throw error
  } finally {
    clearInterval(saying)
    endMaintenance(config.dataDir)
  }
}

const hasBegun = ({ steps }: UpdateState, step: UpdateStep): boolean =>
  steps.find(({ id }) => id === step)?.status !== 'waiting'

/** One that was cut off: before the old version was stopped there is nothing to undo, after that it comes back. */
export const settle = async ({ config, env, steps }: Work): Promise<void> => {
  const { state } = steps
  const isReplacing = hasBegun(state, 'stop')
  if (isReplacing) await goBack(config, state, env)
  endMaintenance(config.dataDir)
  steps.end(isReplacing ? 'rolled_back' : 'failed', `The update was interrupted. Version ${state.from} is in use.`)
}

const keepTwo = ({ oldRoot, newRoot }: UpdateState): void => {
  const folder = dirname(newRoot)
  for (const name of readdirSync(folder))
    if (![oldRoot, newRoot].includes(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true })
}

const carryOut = async (work: Work, feedUrl: string): Promise<void> => {
  const { config, steps } = work
  const { state } = steps
  const isReplacing = () => hasBegun(state, 'stop')
  try {
    await prepare(work, feedUrl, state.to)
    await replace(work)
  } catch (error) {
    steps.end(isReplacing() ? 'rolled_back' : 'failed', messageOf(error))
    throw new Failure(`The update failed, and version ${state.from} is still in use: ${messageOf(error)}`)
  }
  steps.end('succeeded', null)
  forgetOld(config)
  keepTwo(state)
  out(`Fleetpress ${state.to} is running. Version ${state.from} is kept in ${state.oldRoot}.`)
}

/** What the panel has written down already, or a new one once the person has agreed. */
const begin = async (
  before: UpdateState | undefined,
  { wanted, feedUrl, by }: { wanted: string | undefined; feedUrl: string; by: UpdateState['by'] },
  options: UpdateOptions,
): Promise<UpdateState> => {
  if (before && before.id === options.id) return { ...before, by }
  const { version } = await chooseRelease(feedUrl, wanted)
  await confirm(`This updates the panel from ${readVersion()} to ${version}. Sites keep running.`, options.yes === true)
  return newState(version, by)
}

/** Updates the panel of this machine to a release of the feed. */
export const update = async (wanted: string | undefined, options: UpdateOptions): Promise<void> => {
  const config = readConfig(process.env)
  const reason = whyNotUpdated[installKind(ROOT)]
  if (reason !== null) throw new Failure(reason, EXIT.conflict)
  await withLock(join(config.dataDir, 'update.lock'), async () => {
    const running = findRunning(config.dataDir)
    const env = { ...environmentOfPanel(process.env, config.dataDir), ...(running && variablesOf(running)) }
    const whole = readConfig(env)
    const before = findUpdate(config.dataDir)
    if (before?.status === 'running' && (before.id !== options.id || hasBegun(before, 'check'))) {
      await settle({ config: whole, env, steps: stepsOf(config.dataDir, before) })
      return out(`An earlier update was interrupted. Version ${before.from} is in use. Run this again to update.`)
    }
    const feedUrl = await feedUrlOf(whole)
    const state = await begin(before, { wanted, feedUrl, by: running?.by ?? 'process' }, options)
    await carryOut({ config: whole, env, steps: stepsOf(config.dataDir, state) }, feedUrl)
  })
}
