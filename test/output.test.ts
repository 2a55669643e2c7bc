import assert from 'node:assert/strict'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { api } from '#app/contract.ts'
import { features } from '#app/features.ts'
import { systemActor } from '#app/world.ts'
import { listZips } from '#features/catalog/zip-store.ts'
import { type Job, type JobLogLine, TERMINAL } from '#platform/contract/job.ts'
import type { Access } from '#platform/contract/level.ts'
import { failActiveJobs, findJob, type JobRow } from '#platform/jobs/job-store.ts'
import type { AnyJobType, Step } from '#platform/jobs/job-type.ts'
import { createLog } from '#platform/log/log.ts'
import { plugin } from './support/breaking-plugins.ts'
import { HOSTILE, type HostileMachine, RAW_CONTROLS, SAID_SECRET, startHostileMachine } from './support/hostile-host.ts'
import { newConfig, type TestPanel, testPanel } from './support/panel.ts'
import { uploadPlugin } from './support/upload-plugin.ts'

/** One value for each field that job types take, by its name. */
const FIELDS: Record<string, unknown> = {
  serverId: 1,
  otherServerId: 1,
  slug: 'shop',
  adminUser: 'ada',
  version: '8.4',
  hostnames: ['shop.example'],
  domainMode: 'live',
  to: '/srv/elsewhere',
  path: 'wp-content/a.zip',
  paths: ['wp-content'],
  overwrite: false,
  timeoutMin: 1,
  command: 'true',
  args: ['option', 'get', 'home'],
  stdin: null,
  ops: [{ kind: 'plugin', slug: 'forms', action: 'update' }],
  healthCheck: true,
  backupFirst: false,
  call: { method: 'GET', route: '/wp/v2/posts' },
  type: 'manual',
  note: '',
  backupId: '01890000-0000-7000-8000-000000000009',
  parts: 'all',
  skipSafetyCopy: true,
  tables: [],
  ids: [],
  serverIds: [1],
  backupIds: [],
  isAsked: true,
  destinationId: '01890000-0000-7000-8000-000000000009',
  copyIds: [],
  hook: 'afterInstall',
  putBack: null,
  kind: 'plugin',
  item: 'forms',
}

const inputOf = ({ type, input }: AnyJobType): unknown => {
  assert.ok(input instanceof z.ZodObject, `the input of ${type} is an object`)
  const names = Object.keys(input.shape).filter(name => !input.shape[name].safeParse(undefined).success)
  for (const name of names) assert.ok(name in FIELDS, `${type} takes ${name}: give it a value in FIELDS`)
  return Object.fromEntries(names.map(name => [name, FIELDS[name]]))
}

/** The same type, whose first step breaks with an error that is not ours and holds what a server said. */
const broken = (type: AnyJobType): AnyJobType => ({
  ...type,
  type: `${type.type}~broken`,
  steps: type.steps.map((step): Step => ({ ...step, run: () => Promise.reject(new Error(HOSTILE)) })),
})

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.entries(value).flat().flatMap(stringsIn) : []
}

describe('what a site or a server says', { timeout: 300_000 }, () => {
  let machine: HostileMachine
  let panel: TestPanel
  let logFile: string
  const types = features.flatMap(({ jobs = [] }) => jobs)
  const ended = new Map<string, string>()

  /** Its row as a creation leaves it; the engine does not run yet. */
  const createShop = async () => {
    const account = { adminUser: 'ada', adminEmail: 'ada@example.com' }
    const asked = { title: 'Shop', slug: 'shop', domainMode: 'dev' as const, ...account }
    await panel.as('full').siteCreate({ body: asked })
    const { db } = panel.foundation.database
    await failActiveJobs(db, 'test', 'Nothing runs jobs yet.', Date.now())
    await db.updateTable('site').set({ status: 'running' }).execute()
    const [site, name] = [db.selectFrom('site').selectAll(), db.selectFrom('site_hostname').selectAll()]
    const rows = { site: await site.execute(), names: await name.execute() }
    return async () => {
      for (const table of ['site_hostname', 'site_copy', 'site'] as const) await db.deleteFrom(table).execute()
      await db.insertInto('site').values(rows.site).execute()
      await db.insertInto('site_hostname').values(rows.names).execute()
    }
  }

  /** A zip to check, and a recipe to run. */
  const fillCatalog = async () => {
    await uploadPlugin(panel, plugin('acme', '1.0'))
    const [zip] = await listZips(panel.foundation.database.db)
    const hooks = { afterInstall: [{ kind: 'option' as const, option: 'acme', value: 1 }] }
    const recipe = await panel.as('full').recipeCreate({ body: { name: 'Acme', hooks } })
    Object.assign(FIELDS, { zipId: zip?.id, recipeIds: [recipe.id] })
  }

  /** A job that waits to try again has failed for now; it is ended as it stands, so that the next one may run. */
  const runToFailure = async (type: AnyJobType): Promise<JobRow> => {
    const { db } = panel.foundation.database
    const { id } = await panel.world.scope(systemActor('test')).jobs.enqueue(type, inputOf(type))
    for (;;) {
      const row = await findJob(db, id)
      if (row && TERMINAL.includes(row.status)) return row
      if (row && row.retry_at !== null)
        await db.updateTable('job').set({ status: 'failed', finished_at: Date.now() }).where('id', '=', id).execute()
      await sleep(20)
    }
  }

  before(async () => {
    machine = await startHostileMachine()
    const config = await newConfig('sqlite')
    logFile = join(config.dataDir, 'panel.log')
    const hosts = () => ({ get: () => machine.host, forget: async () => {}, close: async () => {} })
    const wired = features.map(feature => (feature.hosts ? { ...feature, hosts } : feature))
    const log = createLog('trace', openSync(logFile, 'w'))
    panel = await testPanel({ config, log, features: wired, extraJobs: types.map(broken) })
    await panel.foundation.database.db.updateTable('server').set({ provisioned_at: 1 }).execute()
    await fillCatalog()
    const placeShop = await createShop()
    await panel.engine.start()
    for (const type of [...types, ...types.map(broken)]) {
      await placeShop()
      const { id, status } = await runToFailure(type)
      if (status === 'failed') ended.set(type.type, id)
    }
  })
  after(async () => {
    await panel.stop()
    machine.stop()
  })

  const jobOf = (access: Access, id: string) => panel.as(access).jobGet({ params: { id }, query: {} })

  it('makes every type of job fail, and most of them by itself', () => {
    const failed = [...ended.keys()]
    assert.deepEqual(
      types.map(({ type }) => `${type}~broken`).filter(type => !failed.includes(type)),
      [],
    )
    // These report what failed item by item, or find nothing to do.
    const never = [
      'backup.delete',
      'backup.offsite',
      'backup.offsitePurge',
      'site.moveFinalize',
      'system.housekeeping',
      'system.postUpdate',
      'wp.scanAll',
    ]
    const succeeded = types.map(({ type }) => type).filter(type => !failed.includes(type))
    assert.deepEqual(
      succeeded.filter(type => !never.includes(type)),
      [],
    )
  })

  it('is output: Manage gets it with the job, apart from our own words', async () => {
    for (const [type, id] of ended) {
      const { job, logs }: { job: Job; logs: JobLogLine[] } = await jobOf('manage', id)
      // What a REST call answered is in its log and its result, not in the error.
      const isOutput = type.endsWith('~broken') || job.error?.output !== null
      if (isOutput) assert.ok(job.error?.output?.includes(SAID_SECRET), `${type}: ${JSON.stringify(job.error)}`)
      assert.ok(!job.error?.message.includes(SAID_SECRET), type)
      const told = logs.filter(({ text }) => text.includes(SAID_SECRET))
      if (isOutput) assert.ok(told.length > 0, type)
      assert.ok(
        told.every(({ stream }) => stream !== 'panel'),
        type,
      )
    }
  })

  /** Every address that can be read, with the ids of what is there. */
  const readable = (): string[] => {
    const known: Record<string, string[]> = { slug: ['shop'] }
    return Object.values(api).flatMap(({ method, path, ...endpoint }) => {
      if (method !== 'GET' || 'socket' in endpoint) return []
      const ids = path.startsWith('/api/jobs') ? [...ended.values()] : ['1']
      const [, name] = /:(\w+)/.exec(path) ?? []
      if (name === undefined) return [path]
      return (known[name] ?? ids).map(value => path.replace(`:${name}`, value))
    })
  }

  it('is withheld from Read only, and cleaned for everyone, wherever it could be read', async () => {
    let answered = 0
    for (const path of readable()) {
      for (const access of ['read-only', 'manage', 'full'] as const) {
        const answer = await panel.ask(path, { headers: { authorization: `Bearer ${panel.token[access]}` } })
        if (answer.status < 300) answered += 1
        if (access === 'read-only') assert.ok(!answer.text.includes(SAID_SECRET), `${path}: ${answer.text}`)
        if (!String(answer.headers['content-type']).includes('json')) continue
        const raw = stringsIn(answer.json()).filter(text => RAW_CONTROLS.test(text))
        assert.deepEqual(raw, [], `${access} ${path}`)
      }
    }
    assert.ok(answered > 100, `${answered} answers`)
  })

  it('does nothing to a terminal that shows the log of the panel', () => {
    const text = readFileSync(logFile, 'utf8')
    assert.ok(text.includes(SAID_SECRET), 'anyone who is root may look for the reason there')
    assert.equal(RAW_CONTROLS.exec(text)?.[0], undefined)
  })
})
