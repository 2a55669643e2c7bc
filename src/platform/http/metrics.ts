import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { JobStatus } from '#platform/contract/job.ts'
import type { Answered } from './server.ts'

export interface Metrics {
  readonly registry: Registry
  readonly requests: Counter
  readonly seconds: Histogram
}

/** Route names and never paths as labels, so the number of series stays small. */
export const createMetrics = (
  version: string,
  countJobs: () => Promise<{ status: JobStatus; count: number }[]>,
): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'fleetpress_build_info',
    help: 'The running version',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  const jobs = new Gauge({
    name: 'fleetpress_jobs',
    help: 'Jobs by status',
    labelNames: ['status'],
    registers: [],
    async collect() {
      this.reset()
      for (const { status, count } of await countJobs()) this.set({ status }, count)
    },
  })
  registry.registerMetric(jobs)
  const labelNames = ['endpoint', 'method', 'status']
  return {
    registry,
    requests: new Counter({
      name: 'fleetpress_http_requests_total',
      help: 'Answered requests',
      labelNames,
      registers: [registry],
    }),
    seconds: new Histogram({
      name: 'fleetpress_http_request_duration_seconds',
      help: 'Time to answer',
      labelNames: ['endpoint'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers: [registry],
    }),
  }
}

export const measure = (metrics: Metrics, answered: Answered): void => {
  const endpoint = answered.endpointId ?? 'other'
  metrics.requests.inc({ endpoint, method: answered.endpointId ? answered.method : 'any', status: answered.status })
  metrics.seconds.observe({ endpoint }, answered.durationMs / 1000)
}
