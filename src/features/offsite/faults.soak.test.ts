import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { backupCreate } from '#features/backups/create/backup.create.ts'
import { backupRestore } from '#features/backups/restore/backup.restore.ts'
import type { Job } from '#platform/contract/job.ts'
import type { AnyJobType } from '#platform/jobs/job-type.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn } from '#test/support/drive-panel.ts'
import { assertTyped, lanesAreFreeOn } from '#test/support/fault-house.ts'
import { type Asked, everyBoundary, type Kill, runKilledPanel } from '#test/support/killed-panel.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { ask } from '#test/support/move/visitors.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { backupOffsite } from './copies/backup.offsite.ts'

const SLUG = 'hello'
const params = { slug: SLUG }
const FOLDER = `/srv/fleetpress/sites/${SLUG}`
const BACKUPS = `/srv/fleetpress/backups/${SLUG}`
const LIMIT_MS = 10 * 60_000
const NOISE = `${FOLDER}/html/wp-content/uploads/noise`
const MARIADB = `docker exec -i --user root fleetpress-database mariadb -N wp_${SLUG}`
/** Enough that a step lasts long enough to be struck in its middle. */
const FILL = `mkdir -p ${FOLDER}/html/wp-content/uploads && head -c 60000000 /dev/urandom > ${NOISE} && chown -R 70000:70000 ${FOLDER}/html/wp-content/uploads
echo "create table one (id int primary key, t longtext); insert into one values (1, 'as it was')" | ${MARIADB}`
const SPOIL = `head -c 60000000 /dev/urandom > ${NOISE}; echo "update one set t = 'spoiled'" | ${MARIADB}`
const CONTENTS = `sha256sum < ${NOISE}; echo 'select t from one' | ${MARIADB}`
const LEFT = `ls -d ${FOLDER}/html.* ${BACKUPS}/work-* 2>/dev/null; docker ps -a --format '{{.Names}}' | grep fleetpress-backup; true`
const RESTIC = `docker run --rm --network none --entrypoint restic -v ${BACKUPS}/repository:/r $(docker images -q fleetpress/backup | head -n 1) -r /r --no-cache --insecure-no-password`

/** For trying: only one kill of so many. */
const EVERY = Number(process.env.FLEETPRESS_KILL_EVERY ?? 1)
/** Before, after and within every step. */
const killsOf = (type: AnyJobType): Kill[] =>
  [
    ...everyBoundary(type),
    ...type.steps.flatMap((_, at) => [200, 1000].map(killAfterMs => ({ killAt: 2 * at + 1, killAfterMs }))),
  ].filter((_, at) => at % EVERY === EVERY - 1)

describe('backups while something breaks', { timeout: 3 * 3_600_000 }, () => {
  let house: SiteHouse
  let server: Vps
  let backupId: string
  let good: string
  let strike: { step: string; afterMs: number } | undefined
  let over: Promise<void> = Promise.resolve()
  let closed: Promise<void> | undefined

  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script])
    assert.equal(exitCode, 0, `${script}\n${stdout}${stderr}`)
    return stdout
  }
  const boundary = (point: string, { step }: { step: string | null }) => {
    if (point !== 'before-step' || strike?.step !== step) return
    const { afterMs } = strike ?? { afterMs: 0 }
    strike = undefined
    over = sleep(afterMs).then(() => server.fillDisk())
    over.catch(() => {})
  }
  /** Every backup that is listed is there and complete, nothing else is, and the site responds. */
  const assertWhole = async (panel: TestPanel, log: string) => {
    await lanesAreFreeOn(panel)
    const { items } = await panel.as('full').siteBackupList({ params })
    assert.ok(items.some(({ id }) => id === backupId))
    const found = JSON.parse(await shell(`${RESTIC} snapshots --json`)) as { tags: string[] }[]
    assert.deepEqual(found.flatMap(({ tags }) => tags).toSorted(), items.map(({ id }) => id).toSorted(), log)
    await shell(`${RESTIC} check --read-data`)
    assert.equal(await shell(LEFT), '', log)
    const { status } = await ask({ address: server.address, hostname: `${SLUG}.${server.name}.localhost`, path: '/' })
    assert.equal(status, 200, log)
  }
  const restoring = (): Asked => ({
    endpoint: 'backupRestore',
    request: { params: { id: backupId }, body: { skipSafetyCopy: true } },
  })
  const creating = (): Asked => ({ endpoint: 'backupCreate', request: { params, body: {} } })
  const start = (panel: TestPanel, { endpoint, request }: Asked) => {
    const client: Record<string, unknown> = panel.as('full')
    return (client[endpoint] as (request: object) => Promise<{ job: Job }>)(request)
  }

  before(async () => {
    house = await siteHouse(1, { engine: { boundary } }, ownServers)
    server = house.servers[0] ?? assert.fail()
    await house.create(SLUG)
    await shell(FILL)
    const { job } = await house.panel.as('full').backupCreate({ params, body: {} })
    backupId = ((await house.succeeded(job.id)) as { backupId: string }).backupId
    good = await shell(CONTENTS)
  })
  after(() => house?.[Symbol.asyncDispose]())

  const fills = [backupCreate, backupRestore].flatMap(type =>
    type.steps.flatMap(({ label }) => [0, 400].map(afterMs => ({ type: type as AnyJobType, step: label, afterMs }))),
  )
  for (const { type, step, afterMs } of fills)
    it(`${type.type}: the disk is full ${afterMs} ms into "${step}"`, async t => {
      const { panel } = house
      await shell(SPOIL)
      const spoiled = await shell(CONTENTS)
      strike = { step, afterMs }
      const { job } = await start(panel, type.type === 'backup.create' ? creating() : restoring())
      const ended = await endedOn(panel, job, LIMIT_MS)
      strike = undefined
      await over
      await server.freeDisk()
      const log = await logOn(panel, job)
      t.diagnostic(`${ended.status} ${ended.error?.code ?? ''}`)
      assertTyped(ended, log)
      const isRestored = type.type === 'backup.restore' && ended.status === 'succeeded'
      assert.equal(await shell(CONTENTS), isRestored ? good : spoiled, log)
      await assertWhole(panel, log)
    })

  /** Its folder is used by panels in processes of their own from here on. */
  const leave = async () => {
    closed ??= house.panel.close()
    await closed
    return house.panel.config
  }
  const killed = [
    { type: backupCreate as AnyJobType, asked: creating, expected: () => shell(CONTENTS) },
    { type: backupRestore as AnyJobType, asked: restoring, expected: async () => good },
  ]
  it('the panel is killed at every step', async t => {
    const config = await leave()
    for (const { type, asked, expected } of killed)
      for (const kill of killsOf(type)) {
        const how = `${type.type}, boundary ${kill.killAt}, ${kill.killAfterMs ?? 0} ms later`
        await shell(SPOIL)
        const wanted = await expected()
        const { jobId = '', killed } = await runKilledPanel(config, { ...kill, ask: asked() })
        await runKilledPanel(config)
        const panel = await testPanel({ config })
        try {
          const { job } = await panel.as('full').jobGet({ params: { id: jobId }, query: {} })
          t.diagnostic(`${how}: ${killed ? 'killed' : 'over'}, ${job.status}`)
          assert.equal(job.status, 'succeeded', `${how}: ${job.error?.message}`)
          assert.equal(await shell(CONTENTS), wanted, how)
          await assertWhole(panel, how)
        } finally {
          await panel.close()
        }
      }
  })

  it('the panel is killed at every step of copying, and of the storage only a whole copy is listed', async t => {
    const config = await leave()
    await shell('mkdir -p /srv/elsewhere')
    const first = await testPanel({ config })
    const disk = { provider: 'local' as const, config: { path: '/srv/elsewhere' }, secrets: {}, name: 'Disk' }
    await first.as('full').destinationCreate({ body: disk })
    await first.close()
    for (const kill of [...killsOf(backupOffsite), { killAt: 1, killAfterMs: 2500 }]) {
      const how = `boundary ${kill.killAt}, ${kill.killAfterMs ?? 0} ms later`
      const request = { params: { id: backupId } }
      await runKilledPanel(config, { ...kill, ask: { endpoint: 'backupCopy', request } })
      await runKilledPanel(config)
      const panel = await testPanel({ config })
      try {
        const { items } = await panel.as('full').siteBackupList({ params })
        const copies = items.find(({ id }) => id === backupId)?.copies.map(({ status }) => status)
        t.diagnostic(`${how}: ${copies?.join(' ')}`)
        assert.deepEqual(copies, ['good'], how)
        await panel.foundation.database.db.deleteFrom('backup_copy').execute()
      } finally {
        await panel.close()
      }
      await shell('rm -rf /srv/elsewhere/*')
    }
  })
})
