import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import type { Vps } from '#test/fleet/vps.ts'
import type { TestPanel } from './panel.ts'

const POLL_MS = 100

/** Adds a server to the panel and lets the panel in; returns its id. */
export const register = async (panel: TestPanel, server: Vps, sshUser = 'root'): Promise<number> => {
  const api = panel.as('full')
  await server.authorize((await api.serverSshPublicKey()).publicKey)
  const body = { name: server.name, sshHost: server.address, sshUser, devDomain: `${server.name}.localhost` }
  return (await api.serverCreate({ body })).server.id
}

/** Asks the database itself, since the API would count so many questions against the key. */
export const endedOn = async (panel: TestPanel, job: Job | null, limitMs: number): Promise<Job> => {
  assert.ok(job)
  for (const endsAt = Date.now() + limitMs; ; await sleep(POLL_MS)) {
    const row = await findJob(panel.foundation.database.db, job.id)
    if (row && TERMINAL.includes(row.status)) break
    if (Date.now() > endsAt) assert.fail(`${job.type} takes longer than ${limitMs} ms\n${await logOn(panel, job)}`)
  }
  return (await panel.as('full').jobGet({ params: { id: job.id }, query: {} })).job
}

export const logOn = async (panel: TestPanel, { id }: Job): Promise<string> => {
  const { logs } = await panel.as('full').jobGet({ params: { id }, query: {} })
  return logs.map(line => line.text).join('\n')
}
