import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { freePort } from '#test/support/ports.ts'
import { PANEL_FLAGS } from '../src/cli/repository.ts'
import { type Figure, median, report } from './report.ts'

const SECONDS = 2
const ROUNDS = 11

const childFile = (script: string): string => join(import.meta.dirname, 'children', script)

const start = async (
  words: readonly string[],
  env: Record<string, string>,
  input?: string,
): Promise<{ child: ChildProcess; firstLine: string }> => {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(input)
  const firstLine = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', chunk => resolve(String(chunk).trim()))
    child.once('exit', code => reject(new Error(`${words.join(' ')} ended with ${code}`)))
  })
  return { child, firstLine }
}

const load = async (url: string, headers: Record<string, string>): Promise<number> => {
  const result = await autocannon({ url, headers, connections: 20, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not successes, ${result.errors} failed`)
  return result.requests.average
}

const dataDir = mkdtempSync(join(tmpdir(), 'fleetpress-bench-'))
const children: ChildProcess[] = []
try {
  const [panelPort, barePort] = [await freePort(), await freePort()]
  const panel = await start([...PANEL_FLAGS, childFile('jobs-panel.ts')], {
    FLEETPRESS_DATA: dataDir,
    FLEETPRESS_PORT: String(panelPort),
  })
  children.push(panel.child)
  const headers = { authorization: `Bearer ${panel.firstLine}` }
  const url = `http://127.0.0.1:${panelPort}/api/jobs?limit=50`
  const body = await (await fetch(url, { headers })).text()
  if ((JSON.parse(body) as { total: number }).total !== 100_000)
    throw new Error('the panel does not show all of its jobs')
  const bare = await start([childFile('bare-fastify.ts')], { PORT: String(barePort) }, body)
  children.push(bare.child)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(await load(`http://127.0.0.1:${barePort}/api/jobs?limit=50`, {}))
    ours.push(await load(url, headers))
  }
  const first: number[] = []
  for (let offset = 50; offset < 1050; offset += 50) {
    const began = performance.now()
    await (await fetch(`${url}&offset=${offset}`, { headers })).text()
    first.push(performance.now() - began)
  }
  const figures: Figure[] = [
    {
      name: 'GET /api/jobs, 50 of 100,000, with key, limit and activity log',
      unit: 'requests/s',
      ours: median(ours),
      peer: { name: 'bare Fastify, same bytes', value: median(theirs) },
      limit: { atLeast: 0.5 },
    },
    {
      name: 'the same page read for the first time, after any job changed',
      unit: 'ms',
      ours: median(first),
      limit: { atMost: 50 },
    },
  ]
  report('job-list', figures)
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}
