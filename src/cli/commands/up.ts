import { VERSION } from '#app/version.ts'
import { type Config, readConfig } from '#platform/config/config.ts'
import { Email, Hostname } from '#platform/contract/identifiers.ts'
import { EXIT, Failure } from '../failure.ts'
import { ensureSshCrypto } from '../install/ssh-crypto.ts'
import { type Started, startDetached } from '../panel/detached.ts'
import { panelFingerprint } from '../panel/fingerprint.ts'
import { askHealth, type Health, waitForHealth } from '../panel/health.ts'
import { startLock, withLock } from '../panel/lock.ts'
import { removeRecord } from '../panel/record.ts'
import { findRunning, type Running, stopRunning } from '../panel/running.ts'
import { hasSystemd, startUnit, stopUnit, UNIT } from '../panel/systemd.ts'
import { plainLine, plainText } from '../plain-text.ts'
import { ROOT } from '../repository.ts'
import { coloursFor, out, say } from '../terminal.ts'
import { checkDisk, checkRights, checkSystem, ensureDataFolder } from '../up/checks.ts'
import { configure } from '../up/configure.ts'
import { refuseWhileUpdating, settleBeforeStart } from '../up/interrupted-update.ts'
import { ensureOwnServer, type Publishing } from '../up/own-server.ts'
import { checkPortFree } from '../up/port.ts'
import { type Steps, showSteps } from '../up/steps.ts'
import { ensureWeb, webStamp } from '../up/web.ts'

const START_LIMIT_MS = 30_000
const ALREADY_LIMIT_MS = 10_000

interface UpOptions extends Publishing {
  detached?: boolean
  /** False when this machine should run the panel and nothing else. */
  server?: boolean
}

/** A panel that moves to another address of the machine frees its port before it takes it again. */
const ownsPort = (running: Running | undefined, { port }: Config): boolean =>
  running !== undefined && (running.record === undefined || running.record.port === port)

const checkMachine = async (steps: Steps): Promise<Config> => {
  const config = await steps('Configuration', note => {
    const read = readConfig(process.env)
    note(`${read.databaseUrl ? 'PostgreSQL' : 'SQLite'}, port ${read.port}`)
    return read
  })
  await steps('Rights', note => note(checkRights(config.dataDir, process.getuid?.() ?? 0)))
  await steps('System', note => note(checkSystem()))
  await steps('Disk', note => note(checkDisk(config.dataDir)))
  await steps('Data folder', note => note(ensureDataFolder(config.dataDir)))
  return config
}

const failStart = (lines: string, by: Running['by'], isLost: boolean): never => {
  if (lines.trim() !== '') say(plainText(lines.trimEnd()))
  const what = isLost ? 'The panel ended while it was starting' : 'The panel does not respond'
  const more = by === 'systemd' ? `journalctl -u ${UNIT}` : './fleetpress logs'
  throw new Failure(`${what}: fix the error above (more with \`${more}\`), then run \`./fleetpress up\` again.`)
}

const start = async (steps: Steps, config: Config, by: Running['by'], fingerprint: string): Promise<Health> => {
  const started: Started = await steps('Start', async note => {
    const one = by === 'systemd' ? startUnit(config, fingerprint) : await startDetached(config, fingerprint)
    note(by === 'systemd' ? UNIT : `process ${one.pid}`)
    return one
  })
  return steps('Health', async () => {
    const health = await waitForHealth(config, START_LIMIT_MS, started.isLost)
    if (health) return health
    const problem = (await askHealth(config))?.problem
    if (problem) throw new Failure(`The panel is running, but not healthy: ${plainLine(problem)}`)
    const isLost = started.isLost()
    const running = findRunning(config.dataDir)
    if (running) await stopRunning(config.dataDir, running)
    else if (by === 'systemd') stopUnit()
    removeRecord(config.dataDir)
    return failStart(started.lastLines(), by, isLost)
  })
}

const announce = async (config: Config): Promise<void> => {
  const colours = coloursFor(process.stdout)
  out(`Fleetpress ${VERSION} is running at ${colours.bold(config.publicUrl)}`)
  const { setupLink } = await import('#app/local.ts')
  const link = await setupLink(config)
  if (link === undefined) return
  out('There is no account yet. Open this link to create the owner (works once):')
  out(`  ${colours.bold(link)}`)
  if (config.listen === '127.0.0.1' && new URL(link).hostname === 'localhost') {
    out(`From another computer, first run: ssh -L ${config.port}:127.0.0.1:${config.port} root@THIS-MACHINE`)
  }
}

const ensureRunning = async (steps: Steps, config: Config, options: UpOptions): Promise<void> => {
  const fingerprint = panelFingerprint(ROOT, config, webStamp())
  const running = findRunning(config.dataDir)
  if (running?.record?.fingerprint === fingerprint) {
    const health = await steps('Already running', async note => {
      note(`process ${running.identity.pid}`)
      return waitForHealth(config, ALREADY_LIMIT_MS)
    })
    if (health) return
  }
  if (ownsPort(running, config)) await steps('Port', note => note(`${config.port}, used by this panel`))
  else await steps('Port', async note => note(await checkPortFree(config)))
  await steps('Browser interface', async note => note(await ensureWeb()))
  await steps('SSH ciphers', async note => note(await ensureSshCrypto()))
  if (running) {
    await steps('Stop the panel with older code or configuration', () => stopRunning(config.dataDir, running))
  }
  const by = hasSystemd() && !options.detached ? 'systemd' : 'process'
  await start(steps, config, by, fingerprint)
}

/** Links start with the name, and the edge of this machine is who passes requests on. */
const published = (domain: string) => ({ PUBLIC_URL: `https://${domain}`, TRUSTED_PROXIES: '127.0.0.1,::1' })

const refuseWrongDomain = ({ domain, email, server }: UpOptions): void => {
  if (domain !== undefined && !Hostname.safeParse(domain).success)
    throw new Failure('--domain takes a lowercase hostname, such as panel.example.com.', EXIT.usage)
  if (email !== undefined && !Email.safeParse(email).success)
    throw new Failure('--email takes an email address.', EXIT.usage)
  if (domain !== undefined && server === false)
    throw new Failure('--domain needs the edge on this machine: omit --no-server.', EXIT.usage)
  if (domain !== undefined && process.getuid?.() !== 0)
    throw new Failure('--domain needs the edge on this machine, which only root can set up: run it with sudo.')
}

/** What the shell says wins over the file, and then the name would be published nowhere. */
const refuseOverruled = ({ domain }: UpOptions, { publicUrl }: Config): void => {
  if (domain === undefined || publicUrl === published(domain).PUBLIC_URL) return
  throw new Failure(`PUBLIC_URL is set to ${publicUrl} in the environment: unset it to publish the panel at ${domain}.`)
}

const ensureServer = async (steps: Steps, config: Config, options: UpOptions): Promise<void> => {
  if (options.server === false) return
  if (process.getuid?.() === 0) return ensureOwnServer(steps, config, options)
  await steps('This machine as server 1', note => note('skipped, only root can set it up; the panel runs without it'))
}

/** Brings the panel up, or says in one sentence why not. A panel that already is up stays as it is. */
export const up = async (options: UpOptions): Promise<void> => {
  const steps = showSteps(process.stdout)
  refuseWrongDomain(options)
  const checked = await checkMachine(steps)
  if (options.domain !== undefined) configure(checked.dataDir, published(options.domain))
  const config = readConfig(process.env)
  refuseOverruled(options, config)
  await settleBeforeStart(steps, config.dataDir)
  await withLock(startLock(config.dataDir), async () => {
    refuseWhileUpdating(config.dataDir)
    await ensureRunning(steps, config, options)
    await ensureServer(steps, config, options)
    await announce(config)
  })
}
