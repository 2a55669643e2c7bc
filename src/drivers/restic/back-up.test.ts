import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { backUp } from './back-up.ts'
import type { Run } from './restic.ts'

const SUMMARY = {
  message_type: 'summary',
  snapshot_id: 'ab12',
  total_bytes_processed: 900,
  total_files_processed: 7,
  data_added_packed: 300,
}
const errorLine = (message: string) =>
  `${JSON.stringify({ message_type: 'error', error: { message }, during: 'archival', item: '/site/x' })}\n`
const wanted = { path: '/site', host: 'bakery', tag: 'one' }

const saying =
  (exitCode: number, stderr = ''): Run =>
  async (_, { onStdout } = {}) => {
    const text = `{"message_type":"status","total_bytes":10,"bytes_done":4}\n${JSON.stringify(SUMMARY)}`
    // Pieces end anywhere, within a line, too.
    for (const piece of [text.slice(0, 20), text.slice(20)]) await onStdout?.(Buffer.from(piece))
    return { exitCode, stdout: '', stderr }
  }

describe('a backup by restic', () => {
  const take = (run: Run, told: unknown[] = []) =>
    backUp({ run, folder: '/backups' }, wanted, (...figures) => void told.push(figures))

  it('tells how far it is and what it took', async () => {
    const told: unknown[] = []
    const taken = await take(saying(0), told)
    assert.deepEqual(taken, { snapshotId: 'ab12', sizeBytes: 900, addedBytes: 300, files: 7 })
    assert.deepEqual(told, [[4, 10]])
  })

  it('is ended when it comes to a halt, and not while it gets on', async () => {
    const saidBy =
      (doneOf: (round: number) => number): Run =>
      async (_, { onStdout, signal } = {}) => {
        for (let round = 0; round < 40; round += 1) {
          const line = { message_type: 'status', total_bytes: 100, bytes_done: doneOf(round) }
          await onStdout?.(Buffer.from(`${JSON.stringify(line)}\n`))
          await sleep(50, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())
        }
        return saying(0)([''], { ...(onStdout && { onStdout }) })
      }
    const slow = (run: Run) => backUp({ run, folder: '/backups' }, wanted, () => {}, 1500)
    const gettingOn = slow(saidBy(round => round))
    await assert.rejects(slow(saidBy(() => 4)), { code: 'restic_error', message: /came to a halt/ })
    assert.equal((await gettingOn).snapshotId, 'ab12')
  })

  it('is whole when files vanished in the meantime, and only then', async () => {
    const vanished = errorLine('lstat /site/files/cache/1: no such file or directory')
    assert.equal((await take(saying(3, vanished))).snapshotId, 'ab12')
    const closed = `${vanished}${errorLine('open /site/files/secret: permission denied')}`
    await assert.rejects(take(saying(3, closed)), { code: 'restic_error', message: /could not be read/ })
    await assert.rejects(take(saying(1)), { code: 'restic_error', exitCode: 1 })
    await assert.rejects(
      take(async () => ({ exitCode: 0, stdout: '', stderr: '' })),
      { code: 'restic_error' },
    )
  })
})
