import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { smallDisk } from '#test/support/small-disk.ts'
import { createLog } from './log.ts'

const LINES = 3000
const AFTER = 10

it('a log on a full disk keeps what it can, counts what it drops, and continues when there is room', async () => {
  using disk = smallDisk(8 * 1024 ** 2)
  const file = join(disk.path, 'panel.log')
  const fd = openSync(file, 'a', 0o600)
  try {
    const log = createLog('info', fd)
    log.info('before')
    disk.fill()
    for (let line = 0; line < LINES; line += 1) log.info({ line }, 'x'.repeat(1000))
    disk.free()
    for (let line = LINES; line < LINES + AFTER; line += 1) log.info({ line }, 'x'.repeat(1000))
    await nextTurn()
    await nextTurn()
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const read = lines.map(text => JSON.parse(text) as { msg: string; line?: number; droppedLines?: number })
    const kept = read.filter(({ line }) => line !== undefined)
    const dropped = read.reduce((sum, { droppedLines = 0 }) => sum + droppedLines, 0)
    assert.ok(kept.length > 500, 'what fits in memory is written later')
    assert.ok(dropped > 0)
    assert.equal(kept.length + dropped, LINES + AFTER)
    // The one that finds room again may itself be dropped.
    assert.equal(kept.filter(({ line = 0 }) => line > LINES).length, AFTER - 1)
  } finally {
    closeSync(fd)
  }
})
