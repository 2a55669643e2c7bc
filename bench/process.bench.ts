import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/support/ports.ts'
import { NODE, PANEL_WORDS } from '../src/cli/repository.ts'
import { median, report } from './report.ts'

const STARTS = 5
const REST_MS = 8000

/** Starts the panel as `up` does and measures until it answers. */
const startPanel = async (dataDir: string) => {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(NODE, PANEL_WORDS, {
    env: { ...process.env, FLEETPRESS_DATA: dataDir, FLEETPRESS_PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  })
  const exited = new Promise(resolve => child.once('exit', resolve))
  while (
    !(await fetch(`http://127.0.0.1:${port}/api/health`).then(
      answer => answer.ok,
      () => false,
    ))
  )
    await sleep(5)
  const tookMs = performance.now() - began
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { child, tookMs, stop }
}

const rssMiB = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

const dataDir = mkdtempSync(join(tmpdir(), 'fleetpress-bench-'))
try {
  const starts: number[] = []
  for (let count = 0; count < STARTS; count += 1) {
    const fresh = mkdtempSync(join(tmpdir(), 'fleetpress-bench-'))
    const panel = await startPanel(fresh)
    starts.push(panel.tookMs)
    await panel.stop()
    rmSync(fresh, { recursive: true, force: true })
  }
  const panel = await startPanel(dataDir)
  await sleep(REST_MS)
  const rss = rssMiB(panel.child.pid ?? 0)
  await panel.stop()
  report('process', [
    {
      name: 'first start to first answer, empty data folder',
      unit: 'ms',
      ours: median(starts),
      limit: { atMost: 2000 },
    },
    { name: 'panel at rest, RSS', unit: 'MiB', ours: rss, limit: { atMost: 150 } },
  ])
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
