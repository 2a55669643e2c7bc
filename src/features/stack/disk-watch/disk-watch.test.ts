import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/fleet/until.ts'

const MIB = 1024 ** 2
const LIMIT_MS = 20_000
/** Says that every container runs, and notes what it is asked to stop. */
const DOCKER = `#!/bin/bash
[[ $1 == inspect ]] && echo true
[[ $1 == stop ]] && echo "\${!#}" >> "$(dirname "$0")/stopped"
exit 0
`

describe('the disk watch of a server', { timeout: 300_000 }, () => {
  let folder: string
  let watch: ReturnType<typeof spawn>
  const site = (slug: string) => join(folder, 'sites', slug)
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  const stopped = async () => (await read(join(folder, 'stopped'))).split('\n').filter(line => line !== '')
  const useOf = async (slug: string) => (await read(join(site(slug), 'disk-use'))).trim().split(' ').map(Number)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-disk-watch-'))
    await writeFile(join(folder, 'docker'), DOCKER)
    await chmod(join(folder, 'docker'), 0o755)
    const limits = { small: `${20 * MIB} 0`, many: '0 50', free: '0 0', broken: 'x; touch /tmp/x' }
    for (const [slug, limit] of Object.entries(limits)) {
      await mkdir(join(site(slug), 'html'), { recursive: true })
      await writeFile(join(site(slug), 'disk-limit'), `${limit}\n`)
      await writeFile(join(site(slug), 'html', 'index.php'), 'x'.repeat(MIB))
      // What is elsewhere does not count, and is not walked.
      await symlink('/usr', join(site(slug), 'html', 'linked'))
    }
    const script = join(import.meta.dirname, 'disk-watch.sh')
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    watch = spawn('bash', [script, join(folder, 'sites')], { env, stdio: 'ignore' })
  })
  after(async () => {
    watch?.kill()
    await rm(folder, { recursive: true, force: true })
  })

  it('measures every site, and stops none that keeps its limits', async () => {
    await until('Measuring', async () => (await useOf('free')).length === 3, LIMIT_MS)
    await until('Measuring', async () => (await useOf('small')).length === 3, LIMIT_MS)
    const [bytes = 0, files] = await useOf('small')
    assert.ok(bytes >= MIB && bytes < 2 * MIB, String(bytes))
    assert.equal(files, 3)
    assert.deepEqual(await useOf('broken'), [0])
    assert.deepEqual(await stopped(), [])
  })

  it('stops those that use too much as soon as the room goes', async () => {
    for (let count = 0; count < 60; count += 1) await writeFile(join(site('many'), 'html', `f${count}`), '')
    await writeFile(join(site('small'), 'html', 'large'), Buffer.alloc(30 * MIB, 1))
    // Other tests may free as much at the same moment, so it keeps growing.
    const grow = () => appendFile(join(site('free'), 'html', 'large'), Buffer.alloc(130 * MIB, 1))
    await grow()
    await until(
      'Stopping',
      async () => {
        if ((await stopped()).length >= 2) return true
        await sleep(3000)
        await grow()
        return false
      },
      LIMIT_MS,
    )
    assert.deepEqual(new Set(await stopped()), new Set(['fleetpress-site-small', 'fleetpress-site-many']))
    assert.match(await read(join(site('many'), 'disk-full')), /^\d+ 63 \d{10}\n$/)
    assert.equal(await read(join(site('free'), 'disk-full')), '')
  })
})
