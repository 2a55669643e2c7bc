import { readConfig } from '#platform/config/config.ts'
import { removeRecord } from '../panel/record.ts'
import { findRunning, stopRunning } from '../panel/running.ts'
import { out } from '../terminal.ts'
import { showSteps } from '../up/steps.ts'

/** Stops the panel of this data folder; when none runs, there is nothing to do. */
export const down = async (): Promise<void> => {
  const { dataDir } = readConfig(process.env)
  const running = findRunning(dataDir)
  if (!running) {
    removeRecord(dataDir)
    out('The panel is not running.')
    return
  }
  await showSteps(process.stdout)('Stop', async note => {
    const end = await stopRunning(dataDir, running)
    note(
      end === 'stopped'
        ? `process ${running.identity.pid}`
        : `process ${running.identity.pid} did not end in 30 s and was killed`,
    )
  })
  if (running.by === 'systemd')
    out('It starts again at the next boot. To prevent that, run `systemctl disable fleetpress`.')
}
