import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listKept } from '#drivers/wordpress-org/core-cache.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { greedyPlugin, NEW_PLUGINS, OLD_PLUGINS, saboteurPlugin } from '#test/support/breaking-plugins.ts'
import { endedOn } from '#test/support/drive-panel.ts'
import { boundaryBefore, type Kill, runKilledPanel } from '#test/support/killed-panel.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { testPanel } from '#test/support/panel.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { askMirror, type Directory, serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { WordpressPerson } from '#test/support/wordpress-person.ts'
import type { TaskOp, TaskReport } from './contract.ts'
import { wpBulkTask } from './wp.bulk-task.ts'

const SLUG = 'shop'
const JOB_MS = 5 * 60_000
const PLUGINS = ['good', 'fatal', 'greedy', 'saboteur']
/** What staging needs; the rest is taken. */
const LEFT_MIB = 48
const FILL = `sync; avail=$(df --output=avail -B1 /srv/fleetpress | tail -1)
fallocate -l $((avail - ${LEFT_MIB} * 1024 * 1024)) /srv/fleetpress/filler`

const change: Kill = { killAt: boundaryBefore(wpBulkTask, 'Changing the site') }
const KILLS: Kill[] = (SOAK ? Array.from({ length: 30 }, (_, at) => at * 400) : [400, 1500]).map(killAfterMs => ({
  ...change,
  killAfterMs,
}))

const op = (slug: string, action: TaskOp['action']): TaskOp => ({ kind: 'plugin', slug, action })

describe('an update in trouble', { timeout: SOAK ? 3_600_000 : 15 * 60_000 }, () => {
  let house: SiteHouse
  let mirror: Mirror
  let directory: Directory
  const params = { slug: SLUG }
  const server = (): Vps => house.servers[0] ?? assert.fail()
  const shell = async (script: string) => {
    const ended = await server().exec(['bash', '-euc', script])
    assert.equal(ended.exitCode, 0, `${script}\n${ended.stdout}${ended.stderr}`)
    return ended.stdout
  }
  const inSite = (script: string) => shell(`docker exec fleetpress-site-${SLUG} sh -euc '${script}'`)
  const versionOf = async (slug: string) =>
    (await inSite(`sed -n "s/^Version: //p" wp-content/plugins/${slug}/${slug}.php`)).trim()
  const assertHealthy = async () => {
    const page = await new WordpressPerson(server().address, `http://${SLUG}.${server().name}.localhost`).ask('/')
    assert.equal(page.status, 200, page.text.slice(0, 300))
    assert.equal((await inSite('ls -A')).match(/\.maintenance|\.fleetpress-\S+/), null)
  }

  const fatesOf = async (...slugs: string[]) => {
    const ops = slugs.map(slug => op(slug, 'update'))
    const { job } = await house.panel.as('full').wpBulk({ params, body: { ops } })
    const { status, result, error } = await endedOn(house.panel, job, JOB_MS)
    assert.equal(status, 'succeeded', error?.message)
    return (result as TaskReport).items.map(({ slug, fate }) => `${slug} ${fate}`)
  }

  before(async () => {
    mirror = await startMirror('0.0.0.0')
    directory = serveDirectory(mirror)
    house = await siteHouse(1, {}, ownServers)
    const [kept] = await listKept(`${house.panel.config.dataDir}/cache`)
    directory.offerCore(kept?.version ?? assert.fail())
    await askMirror(house.panel, server(), mirror)
    for (const item of [...OLD_PLUGINS, greedyPlugin('1.0'), saboteurPlugin('1.0')]) directory.publish(item)
    await house.create(SLUG)
    const ops = PLUGINS.flatMap(slug => [op(slug, 'install'), op(slug, 'activate')])
    const { job } = await house.panel.as('full').wpBulk({ params, body: { ops, healthCheck: false } })
    await house.succeeded(job.id)
    for (const item of [...NEW_PLUGINS, greedyPlugin('1.1'), saboteurPlugin('1.1')]) directory.publish(item)
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    mirror?.close()
  })

  it('is rolled back on a disk that the update itself has filled', async () => {
    await shell(FILL)
    assert.deepEqual(await fatesOf('greedy'), ['greedy rolled-back'])
    await shell(`rm /srv/fleetpress/filler; find /srv/fleetpress/sites -name greedy.bin -delete; sync`)
    // Its server stops a site that fills the disk.
    await house.succeeded((await house.panel.as('full').siteReconcile({ params })).job.id)
    assert.equal(await versionOf('greedy'), '1.0')
    await assertHealthy()
  })

  it('ends before the next item when the site is down after all', async () => {
    assert.deepEqual(await fatesOf('saboteur', 'good'), ['saboteur rolled-back', 'good failed'])
    assert.deepEqual([await versionOf('saboteur'), await versionOf('good')], ['1.0', '1.0'])
    await inSite('rm wp-content/mu-plugins/sabotage.php')
    await assertHealthy()
  })

  it('continues where it was after the panel was killed, and the fate of each item is kept', async () => {
    const { config } = house.panel
    // Its folder is used by panels in processes of their own from here on.
    await house.panel.close()
    const request = { params, body: { ops: ['good', 'fatal'].map(slug => op(slug, 'update')) } }
    let kills = 0
    for (const kill of KILLS) {
      await inSite('sed -i "s/^Version: .*/Version: 1.0/" wp-content/plugins/good/good.php')
      const { killed, jobId = '' } = await runKilledPanel(config, { ...kill, ask: { endpoint: 'wpBulk', request } })
      if (killed) kills += 1
      await runKilledPanel(config)
      const panel = await testPanel({ config })
      try {
        const { job } = await panel.as('full').jobGet({ params: { id: jobId }, query: {} })
        assert.equal(job.status, 'succeeded', job.error?.message)
        const fates = (job.result as TaskReport).items.map(({ slug, fate }) => `${slug} ${fate}`)
        assert.deepEqual(fates, ['good done', 'fatal rolled-back'], `killed after ${kill.killAfterMs} ms`)
      } finally {
        await panel.close()
      }
      assert.deepEqual([await versionOf('good'), await versionOf('fatal')], ['1.1', '1.0'])
      await assertHealthy()
    }
    assert.notEqual(kills, 0, 'it was always over before')
  })
})
