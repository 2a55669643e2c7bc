import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { type Vps, vps } from '#test/fleet/vps.ts'
import { type TestPanel, testPanel } from './panel.ts'

const PAUSE_MS = 10
const LIMIT_MS = 10 * 60_000
const SPARE = 'ls -d /srv/fleetpress/core/*.spare'

export interface WarmServer extends AsyncDisposable {
  panel: TestPanel
  server: Vps
  /** Its host name below the server's dev domain, and how long it took from the request to the end of the job. */
  createSite(slug: string): Promise<{ hostname: string; takenMs: number; job: Job }>
  finished(jobId: string): Promise<Job>
  /** Runs on the server and fails when it fails. */
  shell(script: string): Promise<string>
  /** Until all that goes on after a job has ended. */
  settled(): Promise<void>
}

/** A panel and one server of its fleet, number 2, set up and with all a new site needs at hand. */
export const warmServer = async (): Promise<WarmServer> => {
  await using undo = new AsyncDisposableStack()
  const panel = undo.adopt(await testPanel(), ({ stop }) => stop())
  await panel.engine.start()
  const { servers } = undo.use(await vps(1, { docker: true }))
  const [server] = servers
  assert.ok(server)
  const made = warm(panel, server)
  await setUp(made)
  const kept = undo.move()
  return { ...made, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const setUp = async ({ panel, server, finished, createSite, settled }: Omit<WarmServer, keyof AsyncDisposable>) => {
  const { publicKey } = await panel.as('full').serverSshPublicKey()
  await server.authorize(publicKey)
  const { job } = await panel.as('full').serverCreate({
    body: { name: 'vps', sshHost: server.address, devDomain: 'vps.localhost', provision: true },
  })
  assert.ok(job)
  await finished(job.id)
  await createSite('first')
  await settled()
}

const warm = (panel: TestPanel, server: Vps): Omit<WarmServer, keyof AsyncDisposable> => {
  const { db } = panel.foundation.database
  const finished = async (id: string): Promise<Job> => {
    const until = Date.now() + LIMIT_MS
    for (;;) {
      // Past the limit of requests, which is for callers.
      const row = await db.selectFrom('job').select('finished_at').where('id', '=', id).executeTakeFirstOrThrow()
      if (row.finished_at !== null) break
      assert.ok(Date.now() < until, `the job ${id} takes too long`)
      await sleep(PAUSE_MS)
    }
    const { job, logs } = await panel.as('full').jobGet({ params: { id }, query: {} })
    assert.ok(TERMINAL.includes(job.status))
    assert.equal(job.status, 'succeeded', `${job.error?.message}\n${logs.map(line => line.text).join('\n')}`)
    return job
  }
  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-euc', script])
    assert.equal(exitCode, 0, `${script}\n${stdout}${stderr}`)
    return stdout
  }
  return {
    panel,
    server,
    finished,
    shell,
    createSite: async slug => {
      const admin = { adminUser: 'ada', adminEmail: 'ada@example.com' }
      const began = performance.now()
      const body = { title: `Site ${slug}`, slug, domainMode: 'dev' as const, serverId: 2, ...admin }
      const { job } = await panel.as('full').siteCreate({ body })
      const ended = await finished(job.id)
      return { hostname: `${slug}.vps.localhost`, takenMs: performance.now() - began, job: ended }
    },
    settled: async () => {
      while ((await server.exec(['bash', '-c', SPARE])).exitCode !== 0) await sleep(PAUSE_MS)
    },
  }
}
