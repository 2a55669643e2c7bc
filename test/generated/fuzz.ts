import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { successStatuses } from '#platform/contract/endpoint.ts'
import { PROBLEM_STATUS } from '#platform/contract/problem.ts'
import type { TestPanel } from '#test/support/panel.ts'
import { faultsOfAnswer } from './answers.ts'
import { type Clock, MINUTE_MS } from './clock.ts'
import type { Planned } from './requests.ts'
import type { Served } from './served.ts'

export interface FuzzRun {
  panel: TestPanel
  clock: Clock
  endpoints: readonly Served[]
  requests: fc.Arbitrary<Planned>
  /** What the caller brings, asked for again and again: requests may have removed it. */
  headers(): Promise<Record<string, string>>
  renewEvery: number
  count: number
  seed: number
}

export interface FuzzReport {
  sent: number
  statuses: Record<number, number>
  /** How many of the requests that were made as the contract asks were taken as such. */
  valid: { sent: number; refused: number }
  faults: string[]
  slowestMs: number
  lagMs: number
  grownMiB: number
}

const BATCH = 100
const AT_ONCE = 10
/** What part of the batches comes before memory is looked at for the first time. */
const WARM_UP = 0.2
const COLLECT_EVERY = 10
const LAG_RESOLUTION_MS = 5
/** Requests between two looks at the clock; the limit is 300 a minute. */
const PER_MINUTE = 200

/**
 * Memory that is really in use. What only waits to be collected is not a growth, nor what the allocator keeps for the
 * next password: hashing four at once takes 256 MiB for a moment.
 */
const usedMiB = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_048_576
}

const documented = (endpoints: readonly Served[], { id, kind }: Planned, status: number): boolean => {
  const endpoint = endpoints.find(one => one.id === id)?.endpoint
  const successes = endpoint ? successStatuses(endpoint) : []
  // A broken address or method may be that of another endpoint, or of a page.
  if (status < 400) return successes.includes(status) || kind === 'address' || kind === 'head'
  return [405, 416, ...Object.values(PROBLEM_STATUS)].includes(status)
}

const show = ({ id, kind, method, url, raw }: Planned) =>
  `${id} (${kind}) ${method} ${url.slice(0, 300)} ${String(raw ?? '').slice(0, 300)}`

const judge = async (run: FuzzRun, request: Planned, headers: Record<string, string>, report: FuzzReport) => {
  const { method, url, raw } = request
  const started = performance.now()
  const sent = { method, headers: { ...headers, ...request.headers }, ...(raw === undefined ? {} : { raw }) }
  const answer = await run.panel.ask(url, sent)
  report.slowestMs = Math.max(report.slowestMs, performance.now() - started)
  report.sent += 1
  report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1
  if (request.kind === 'valid') {
    report.valid.sent += 1
    if (answer.status === 400) report.valid.refused += 1
  }
  const faults = faultsOfAnswer(answer, request.id, { bodyless: method === 'HEAD' })
  if (answer.status === 500) faults.push('500')
  if (!documented(run.endpoints, request, answer.status)) faults.push(`${answer.status} is not documented`)
  report.faults.push(...faults.map(fault => `${fault}: ${show(request)}`))
}

/** So many at once, as callers do: what two requests do to each other is tried too. */
const sendBatch = async (run: FuzzRun, batch: readonly Planned[], report: FuzzReport) => {
  let headers: Record<string, string> = {}
  for (let at = 0; at < batch.length; at += AT_ONCE) {
    if (at % run.renewEvery === 0) headers = await run.headers()
    if (report.sent % PER_MINUTE < AT_ONCE) run.clock.pass(MINUTE_MS)
    await Promise.all(batch.slice(at, at + AT_ONCE).map(request => judge(run, request, headers, report)))
  }
}

const newReport = (): FuzzReport => ({
  sent: 0,
  statuses: {},
  valid: { sent: 0, refused: 0 },
  faults: [],
  slowestMs: 0,
  lagMs: 0,
  grownMiB: 0,
})

/** How long this thread computes between two rounds of the loop. Time in which others have the processor does not count. */
const watchLoop = () => {
  let longestMs = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1000)
    before = process.threadCpuUsage()
  }
  const timer = setInterval(look, LAG_RESOLUTION_MS)
  return {
    end: () => {
      clearInterval(timer)
      return longestMs
    },
  }
}

/** Sends one batch and watches how long the loop stands still in the meantime. */
const watchBatch = async (run: FuzzRun, batch: number, report: FuzzReport) => {
  const size = Math.min(BATCH, run.count - batch * BATCH)
  const made = fc.sample(run.requests, { seed: run.seed + batch, numRuns: size })
  const loop = watchLoop()
  // Delays are seen between two rounds of the loop: one before the batch, one after it.
  await wait(LAG_RESOLUTION_MS * 2)
  await sendBatch(run, made, report)
  await wait(LAG_RESOLUTION_MS * 2)
  report.lagMs = Math.max(report.lagMs, loop.end())
}

/** Sends so many requests; what went wrong is in the report, with the seed that does it again. */
export const fuzz = async (run: FuzzRun): Promise<FuzzReport> => {
  const report = newReport()
  const batches = Math.ceil(run.count / BATCH)
  let before = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < batches; batch += 1) {
    await watchBatch(run, batch, report)
    if (batch % COLLECT_EVERY === 0) usedMiB()
    if (batch === Math.floor(batches * WARM_UP)) before = usedMiB()
    if (report.faults.length > 0) {
      report.faults.unshift(`seed ${run.seed}, batch ${batch}`)
      break
    }
  }
  report.grownMiB = Math.max(0, usedMiB() - before)
  return report
}
