import { readConfig } from '#platform/config/config.ts'
import { EXIT, Failure } from '../failure.ts'
import { ensureSshCrypto } from '../install/ssh-crypto.ts'
import { panelFingerprint } from '../panel/fingerprint.ts'
import { removeRecord, writeRecord } from '../panel/record.ts'
import { findRunning } from '../panel/running.ts'
import { ROOT } from '../repository.ts'
import { say } from '../terminal.ts'
import { checkRights, ensureDataFolder } from '../up/checks.ts'
import { refuseWhileUpdating } from '../up/interrupted-update.ts'
import { checkPortFree } from '../up/port.ts'
import { ensureWeb, webStamp } from '../up/web.ts'

/** Runs the panel here until it is told to stop, known to `status` and `down` like one that `up` started. */
export const run = async (): Promise<void> => {
  const config = readConfig(process.env)
  checkRights(config.dataDir, process.getuid?.() ?? 0)
  ensureDataFolder(config.dataDir)
  refuseWhileUpdating(config.dataDir)
  const running = findRunning(config.dataDir)
  if (running) {
    throw new Failure(
      `The panel is already running (process ${running.identity.pid}): stop it first with \`./fleetpress down\`.`,
      EXIT.conflict,
    )
  }
  await checkPortFree(config)
  if ((await ensureWeb()) === 'built') say('The browser interface was built.')
  if ((await ensureSshCrypto()) === 'compiled') say('The SSH ciphers were compiled.')
  writeRecord(config, process.pid, panelFingerprint(ROOT, config, webStamp()))
  process.once('exit', () => removeRecord(config.dataDir))
  const { runPanel } = await import('#app/run.ts')
  await runPanel(process.env)
}
