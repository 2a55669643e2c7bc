import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the account of this machine does in its own login shells is not what the tests of terminals are about. */
export const useEmptyHome = (): void => {
  const home = mkdtempSync(join(tmpdir(), 'fleetpress-home-'))
  process.env.HOME = home
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
}
