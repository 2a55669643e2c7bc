import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { removeContainer } from '#drivers/docker/containers.ts'
import { ensureContainer } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { type LocalFolder, localFolder, OWNER } from '#test/support/files/local-folder.ts'
import { startSwapping } from '#test/support/files/swapping.ts'
import { SOAK } from '#test/support/soak.ts'
import { scannerImage } from '../scan/image.ts'
import { scannerSpec } from '../scan/scanner.ts'
import { CAPABILITIES } from './move-file.ts'

const ROUNDS = SOAK ? 10_000 : 12
const AT_ONCE = 3
const LIMIT_MS = 60_000
const SECRET = 'SECRET-OF-ROOT'

describe('quarantine while the site swaps its files', { timeout: SOAK ? 6 * 3_600_000 : 600_000 }, () => {
  let site: LocalFolder
  const name = `fptest${randomBytes(4).toString('hex')}-move`
  before(async () => {
    site = await localFolder()
    const { host, outside } = site
    await writeFile(`${outside}/secret`, SECRET, { mode: 0o600 })
    await mkdir(`${outside}/neighbour`)
    await writeFile(`${outside}/neighbour/wp-config.php`, SECRET)
    await startSwapping(site)
    const image = await ensureImage(scannerImage, { host, dataDir: outside })
    const mounts = [{ source: outside, target: '/around' }]
    const view = { slug: 'x', purpose: 'move', image, user: '0:0', mounts, capAdd: CAPABILITIES }
    await ensureContainer(dockerOf(host), { ...scannerSpec(view), name, labels: {} })
  })
  after(async () => {
    if (site) await removeContainer(dockerOf(site.host), name)
    await site?.[Symbol.asyncDispose]()
  })

  const ask = async (op: 'take' | 'restore' | 'drop', id: string, path: string) => {
    const stdin = JSON.stringify({ id, path, uid: OWNER, gid: OWNER })
    const { exitCode, stdout } = await execIn(dockerOf(site.host), name, ['site-scan', op], {
      stdin,
      timeoutMs: LIMIT_MS,
    })
    assert.equal(exitCode, 0)
    assert.match(stdout, /^\{"(?:done|error)":/)
  }
  /** Whatever was moved is a file of the site, or a link or pipe that it put in its place. */
  const assertOwn = async () => {
    for (const id of await readdir(`${site.outside}/quarantine`)) {
      if (!(await lstat(`${site.outside}/quarantine/${id}`)).isFile()) continue
      assert.equal(await readFile(`${site.outside}/quarantine/${id}`, 'utf8'), 'inside\n')
    }
  }
  const inTurns = async (act: (turn: number) => Promise<void>) => {
    let turn = 0
    const work = async () => {
      while (turn < ROUNDS) {
        turn += 1
        await act(turn)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  it('moves files of the site only, there and back', async () => {
    const around = (await readdir(site.outside)).toSorted()
    const paths = ['dir/inner', 'dir/passwd', 'deep/dir/passwd', 'file']
    await inTurns(async turn => {
      const path = paths[turn % paths.length] ?? ''
      await ask('take', `q${turn}`, path)
      await ask('restore', `q${turn}`, path)
    })
    await assertOwn()
    await inTurns(turn => ask('drop', `q${turn}`, 'dir/inner'))
    assert.deepEqual(await readdir(`${site.outside}/quarantine`), [])
    assert.deepEqual((await readdir(site.outside)).toSorted(), [...around, 'quarantine'].toSorted())
    assert.equal(await readFile(`${site.outside}/secret`, 'utf8'), SECRET)
    assert.deepEqual(await readdir(`${site.outside}/neighbour`), ['wp-config.php'])
  })
})
