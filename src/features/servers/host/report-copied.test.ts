import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobProgress } from '#platform/contract/job.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { reportCopied } from './report-copied.ts'

const PART = Buffer.alloc(1024 ** 2, 'x')

describe('reportCopied', { timeout: 300_000 }, () => {
  it('reports what has arrived so far, and nothing after the end, however that was', async () => {
    const to = mkdtempSync(join(tmpdir(), 'fleetpress-copied-'))
    const copy = Promise.withResolvers<void>()
    const reports: JobProgress[] = []
    try {
      const reporting = reportCopied(
        { host: new LocalHost(), to, totalBytes: 2 * PART.length, ended: copy.promise },
        progress => reports.push(progress),
      )
      writeFileSync(join(to, 'one'), PART)
      while (reports.length === 0) await sleep(20)
      writeFileSync(join(to, 'two'), PART)
      while ((reports.at(-1)?.done ?? 0) < 2 * PART.length) await sleep(20)
      copy.reject(new Error('the disk is full'))
      await reporting
      assert.ok((reports[0]?.done ?? 0) >= PART.length && (reports[0]?.done ?? 0) < 2 * PART.length)
      assert.deepEqual([reports[0]?.total, reports[0]?.unit], [2 * PART.length, 'bytes'])
    } finally {
      rmSync(to, { recursive: true, force: true })
    }
  })
})
