import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runCli, temporaryFolder } from '../cli/run-cli.ts'
import { listFleet, newFleetId, removeFleet } from './label.ts'
import { run, tryRun } from './run.ts'

const limitMs = 15 * 60_000

void describe('./fleetpress dev fleet', () => {
  void test('starts servers that stay and that the given key opens, until stop', { timeout: limitMs }, async t => {
    const name = newFleetId()
    t.after(() => removeFleet(name))
    const keyFile = join(temporaryFolder(t), 'key')
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile])
    const words = ['dev', 'fleet', '2', '--name', name, '--authorize']
    const started = await runCli([...words, `${keyFile}.pub`], { limitMs })
    assert.equal(started.code, 0, started.stderr)
    const addresses = [...started.stdout.matchAll(/root@(\S+)/g)].map(([, address]) => address)
    assert.equal(addresses.length, 2)
    for (const address of addresses) {
      const options = ['BatchMode=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'].map(
        one => `-o${one}`,
      )
      const { exitCode, stderr } = await tryRun('ssh', [...options, '-i', keyFile, `root@${address}`, 'true'])
      assert.equal(exitCode, 0, stderr)
    }
    const second = await runCli([...words, '-'], { input: 'ssh-ed25519 AAAA', limitMs })
    assert.equal(second.code, 1)
    assert.match(second.stdout, /dev fleet stop/)
    assert.equal((await runCli(['dev', 'fleet', 'stop', '--name', name])).code, 0)
    assert.deepEqual(await listFleet(name), [])
  })

  void test('refuses what is not a number, a name or a public key', { timeout: 300_000 }, async () => {
    for (const words of [['0'], ['21'], ['some'], ['1', '--name', 'A b'], ['1', '--authorize', '-']]) {
      const { code, stderr } = await runCli(['dev', 'fleet', ...words], { input: 'no key' })
      assert.equal(code, 2, `${words.join(' ')}: ${stderr}`)
    }
  })
})
