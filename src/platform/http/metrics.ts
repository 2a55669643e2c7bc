import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { JobStatus } from '#platform/contract/job.ts'
import type { Answered } from './recording.ts'

export interface Metrics {
  readonly registry: Registry
  readonly requests: Counter
  readonly seconds: Histogram
}

type CountJobs = () => Promise<{ status: JobStatus; count: number }[]>

const jobsGauge = (countJobs: CountJobs) =>
  new Gauge({
    name: 'fleetpress_jobs',
    help: 'Jobs by status',
    labelNames: ['status'],
    registers: [],
    async collect() {
      this.reset()
      for (const { status, count } of await countJobs()) this.set({ status }, count)
    },
  })

/** Operation names and never paths as labels, so the number of series stays small. */
export const createMetrics = (version: string, countJobs: CountJobs): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(jobsGauge(countJobs))
  const build = new Gauge({
    name: 'fleetpress_build_info',
    help: 'The running version',
    labelNames: ['version'],
    registers,
  })
  build.set({ version }, 1)
  return {
    registry,
    requests: new Counter({
      name: 'fleetpress_http_requests_total',
      help: 'Completed requests',
      labelNames: ['endpoint', 'method', 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'fleetpress_http_request_duration_seconds',
      help: 'Response time',
      labelNames: ['endpoint'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
  }
}

export const measure = (metrics: Metrics, answered: Answered): void => {
  const endpoint = answered.endpointId ?? 'other'
  metrics.requests.inc({ endpoint, method: answered.endpointId ? answered.method : 'any', status: answered.status })
  metrics.seconds.observe({ endpoint }, answered.durationMs / 1000)
}
