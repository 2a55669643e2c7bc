import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Fault, findFault } from './fault.ts'
import { listNames, RcloneError } from './rclone.ts'

const FAILED =
  '2026/11/17 09:12:04 Failed to create file system for "offsite:": failed to make remote "storage:x" to wrap:'

/** As rclone 1.60 says them. */
const SAID: readonly (readonly [Fault['kind'] | undefined, string])[] = [
  ['host_key_changed', `${FAILED} NewFs: couldn't connect SSH: ssh: handshake failed: knownhosts: key mismatch`],
  ['host_key_changed', `${FAILED} NewFs: couldn't connect SSH: ssh: handshake failed: knownhosts: key is unknown`],
  [
    'login_refused',
    `${FAILED} NewFs: couldn't connect SSH: ssh: handshake failed: ssh: unable to authenticate, attempted methods [none password], no supported methods remain`,
  ],
  [
    'login_refused',
    '2026/11/17 09:12:04 ERROR : : error listing: InvalidAccessKeyId: The AWS Access Key Id you provided does not exist in our records.\n\tstatus code: 403, request id: tx01, host id: tx01',
  ],
  [
    'login_refused',
    '2026/11/17 09:12:04 ERROR : : error listing: SignatureDoesNotMatch: The request signature we calculated does not match the signature you provided.\n\tstatus code: 403, request id: tx02, host id: tx02',
  ],
  ['login_refused', `${FAILED} read metadata failed: Unauthorized: 401 Unauthorized`],
  [
    'no_bucket',
    '2026/11/17 09:12:04 ERROR : : error listing: NoSuchBucket: The specified bucket does not exist.\n\tstatus code: 404, request id: tx03, host id: tx03',
  ],
  [
    'no_permission',
    '2026/11/17 09:12:04 ERROR : test.txt: Failed to copy: AccessDenied: not entitled\n        status code: 403, request id: f93b7f10c87a8867, host id: aZecz',
  ],
  [
    'no_permission',
    '2026/11/17 09:12:04 Failed to rcat: Update Create failed: sftp: "Permission denied" (SSH_FX_PERMISSION_DENIED)',
  ],
  ['no_permission', '2026/11/17 09:12:04 Failed to rcat: open /destination/x: permission denied'],
  ['disk_full', '2026/11/17 09:12:04 Failed to rcat: write /destination/x: no space left on device'],
  ['disk_full', '2026/11/17 09:12:04 Failed to rcat: Insufficient Storage: 507 Insufficient Storage'],
  ['certificate', `${FAILED} Propfind "https://h/": x509: certificate signed by unknown authority`],
  ['unreachable', `${FAILED} NewFs: couldn't connect SSH: dial tcp 203.0.113.9:22: connect: connection refused`],
  ['unreachable', `${FAILED} Propfind "https://h/": dial tcp: lookup h on 127.0.0.11:53: no such host`],
  ['unreachable', `${FAILED} NewFs: couldn't connect SSH: dial tcp 203.0.113.9:22: i/o timeout`],
  ['unreachable', '2026/11/17 09:12:04 ERROR : x: Failed to copy: SlowDown: Please reduce your request rate.'],
  [undefined, '2026/11/17 09:12:04 ERROR : : error listing: directory not found'],
  [undefined, ''],
]

describe('what is wrong with a storage', () => {
  for (const [kind, output] of SAID)
    it(`${kind ?? 'not known'}: ${output.split(': ').slice(-2).join(': ').slice(0, 60) || 'nothing said'}`, () => {
      const fault = findFault(output)
      assert.equal(fault?.kind, kind)
      if (fault) assert.equal(fault.isPassing, kind === 'unreachable')
    })

  it('is the message of the error, and the words of rclone are only its output', async () => {
    const [, stderr] = SAID[2] ?? assert.fail()
    const storage = { remote: 'offsite:', run: async () => ({ exitCode: 1, stdout: '', stderr }) }
    await assert.rejects(listNames(storage), (error: unknown) => {
      assert.ok(error instanceof RcloneError)
      assert.match(error.message, /refused the login\. Check/)
      assert.equal(error.output, stderr)
      assert.deepEqual([error.code, error.isPassing], ['storage_login_refused', false])
      return true
    })
    const away = { remote: 'offsite:', run: async () => ({ exitCode: 1, stdout: '', stderr: 'connection refused' }) }
    await assert.rejects(listNames(away), { code: 'storage_unreachable', isPassing: true })
    const other = { remote: 'offsite:', run: async () => ({ exitCode: 7, stdout: '', stderr: 'something else' }) }
    await assert.rejects(listNames(other), { code: 'rclone_error', message: 'rclone lsf ended with exit code 7' })
  })
})
