import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { unitText, variableLine } from '../../src/cli/panel/systemd.ts'
import { NODE } from '../../src/cli/repository.ts'
import { temporaryFolder } from './run-cli.ts'

void describe('the unit file', () => {
  void test('is taken by systemd itself, also for a folder with a strange name', t => {
    const file = join(temporaryFolder(t), 'fleetpress.service')
    writeFileSync(file, unitText('/srv/data of "mine" 100%'))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', file], {
      encoding: 'utf8',
    })
    assert.equal(
      stderr
        .split('\n')
        .filter(line => line.includes('fleetpress.service'))
        .join('\n'),
      '',
    )
    assert.equal(status, 0, stderr)
  })

  void test('restarts after a failure, but not for a wrong configuration, and keeps the rights docker needs', () => {
    const text = unitText('/var/lib/fleetpress')
    for (const line of [
      'Restart=on-failure',
      'RestartPreventExitStatus=78',
      'NoNewPrivileges=no',
      'ProtectHome=read-only',
    ]) {
      assert.ok(text.split('\n').includes(line), line)
    }
    assert.ok(text.includes(`ExecStart="${NODE}" `))
    assert.ok(text.includes('Environment="FLEETPRESS_DATA=/var/lib/fleetpress"'))
    assert.doesNotMatch(text, /DATABASE_URL|ProtectSystem|PrivateTmp/)
  })

  void test('variables keep their values', () => {
    assert.equal(variableLine('A', 'plain'), 'A="plain"\n')
    assert.equal(variableLine('A', 'a "b" \\ $c `d`'), 'A="a \\"b\\" \\\\ \\$c \\`d\\`"\n')
    assert.equal(variableLine('A', 'two\nB=lines'), 'A="two B=lines"\n')
  })
})
