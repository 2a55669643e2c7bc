import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runCli, temporaryFolder } from './run-cli.ts'

const FEED = { format: 'fleetpress-releases', issuedAt: 1, releases: [] }

void describe('./fleetpress release', () => {
  void test('creates a key for its owner alone, never over another, and signs nothing that no panel would take', async t => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'release.key')
    const { code, stdout } = await runCli(['release', 'key', file])
    assert.equal(code, 0, stdout)
    assert.match(stdout, /trusted-keys\.json:\n {2}MCowBQYDK2VwAyEA\S{44}\n$/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const key = readFileSync(file, 'utf8')
    assert.match(key, /^-----BEGIN PRIVATE KEY-----/)
    const again = await runCli(['release', 'key', file])
    assert.notEqual(again.code, 0)
    assert.match(again.stderr, /already exists, and a key is never overwritten/)
    assert.equal(readFileSync(file, 'utf8'), key)
    writeFileSync(join(folder, 'releases.json'), JSON.stringify(FEED))
    const signed = await runCli(['release', 'sign', folder, '--key', file])
    assert.notEqual(signed.code, 0)
    assert.match(signed.stderr, /no panel would take this feed/)
    assert.equal(existsSync(join(folder, 'releases.json.sig')), false)
  })
})
