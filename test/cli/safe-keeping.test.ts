import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runCli, temporaryFolder } from './run-cli.ts'

interface Taken {
  file: string
  sha256: string
  sizeBytes: number
}

void describe('what root does without signing in', { timeout: 120_000 }, () => {
  void test('a snapshot and the master key bring the keys of one panel to another', async t => {
    const folder = temporaryFolder(t)
    const first = { FLEETPRESS_DATA: join(folder, 'first') }
    const second = { FLEETPRESS_DATA: join(folder, 'second') }
    const made = await runCli(['key', 'create', 'kept', '--access', 'manage'], { env: first })
    assert.match(made.stdout, /^fp_mg_\S+\n$/, made.stderr)

    const exported = await runCli(['key', 'export', 'safe.key'], { env: first, cwd: folder })
    assert.equal(exported.stdout, `${join(folder, 'safe.key')}\n`, exported.stderr)
    assert.equal(statSync(join(folder, 'safe.key')).mode & 0o777, 0o600)
    const again = await runCli(['key', 'export', 'safe.key'], { env: first, cwd: folder })
    assert.notEqual(again.code, 0)
    assert.match(again.stderr, /never written over/)

    const copied = await runCli(['snapshot', '--json'], { env: first })
    assert.equal(copied.code, 0, copied.stderr)
    const taken: Taken = JSON.parse(copied.stdout)
    assert.ok(existsSync(taken.file))

    const words = ['restore', taken.file]
    const refused = await runCli(words, { env: second })
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /^This replaces everything in the panel's own database .* Add --yes/)
    const keyless = await runCli([...words, '--yes'], { env: { FLEETPRESS_DATA: join(folder, 'third') } })
    assert.match(keyless.stderr, /Before that, put the master key of the snapshot's panel into /)
    mkdirSync(second.FLEETPRESS_DATA, { mode: 0o700 })
    copyFileSync(join(folder, 'safe.key'), join(second.FLEETPRESS_DATA, 'master.key'))
    const restored = await runCli([...words, '--yes'], { env: second })
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stdout, /^Restored \d+ rows in \d+ tables\./)
    assert.doesNotMatch(restored.stderr, /put the master key/)
  })

  void test('a snapshot that is not there ends with 3', async t => {
    const folder = temporaryFolder(t)
    const ended = await runCli(['restore', 'nothing', '--yes'], { env: { FLEETPRESS_DATA: folder }, cwd: folder })
    assert.equal(ended.code, 3)
    assert.equal(ended.stderr, `There is no file ${join(folder, 'nothing')}: give the path of a snapshot.\n`)
  })

  void test('a locked-out owner gets a link, alone on standard output', async t => {
    const { code, stdout, stderr } = await runCli(['admin', 'reset'], { env: { FLEETPRESS_DATA: temporaryFolder(t) } })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^http:\/\/localhost:8080\/setup#\S+\n$/)
    assert.match(stderr, /Nobody has an account yet/)
  })
})
