/** What the account of this machine does in its own login shells is not what these tests are about. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const home = mkdtempSync(join(tmpdir(), 'fleetpress-home-'))
process.env.HOME = home
process.once('exit', () => rmSync(home, { recursive: true, force: true }))
