import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#app/world.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { until } from '#test/fleet/until.ts'
import type { Fleet, Vps } from '#test/fleet/vps.ts'
import { leasedServers } from '#test/support/leased-servers.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import { followLog } from './follow-log.ts'

const LOGS = '/srv/fleetpress/edge/logs'
const HOSTNAME = 'hello.vps.localhost'
/** A flood of requests to a name that is not a site's; with long addresses, since reading many short lines takes minutes. */
const FLOOD = `uri=/flood/$(printf '%04000d' 0)
  line='{"time":"'$(date +%s.%3N)'","site":"","uri":"'$uri'","status":"421","bytes":"1","cache":""}'
  yes "$line" | head -c 68000000 | sed '$d' >> ${LOGS}/access.json`

describe('the traffic of a site', { timeout: 20 * 60_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let panel: TestPanel
  let asked = 0

  const ask = async (path: string, times: number): Promise<number> => {
    let status = 0
    for (let done = 0; done < times; done++) {
      const sent = request({ host: server.address, path, headers: { host: HOSTNAME }, agent: false }).end()
      const [answer] = await once(sent, 'response')
      answer.resume()
      await once(answer, 'end')
      status = answer.statusCode
      asked += 1
    }
    return status
  }
  const traffic = () => panel.as('read-only').siteTraffic({ params: { slug: 'hello' }, query: { hours: 1 } })
  /** Not faster than a key may ask. */
  const trafficSoon = () => sleep(500).then(traffic)
  const shell = async (text: string) => (await server.exec(['bash', '-c', text])).stdout.trim()
  /** The edge writes its lines once a second. One that is written during the flood would end up inside a line of it. */
  const flood = async () => {
    await sleep(1500)
    await shell(FLOOD)
  }
  /** The panel reads once a minute, and now as well; what it has counted then must be all and no more. */
  const countedSoon = async () => {
    await followLog(panel.world.scope(systemActor('test')), { serverId: 2 })
    return trafficSoon()
  }
  const exactlyCounted = async () => {
    await until('counting', async () => (await countedSoon()).totals.requests >= asked, 100_000)
    assert.equal((await traffic()).totals.requests, asked)
  }
  const finished = async (id: string) => {
    await until(
      'the job',
      async () => {
        await sleep(300)
        return TERMINAL.includes((await panel.as('full').jobGet({ params: { id }, query: {} })).job.status)
      },
      600_000,
    )
    const { job, logs } = await panel.as('full').jobGet({ params: { id }, query: {} })
    assert.equal(job.status, 'succeeded', `${job.error?.message}\n${logs.map(line => line.text).join('\n')}`)
  }

  before(async () => {
    panel = await testPanel()
    await giveCache(panel.config.dataDir)
    await panel.engine.start()
    fleet = await leasedServers(1)
    server = fleet.servers[0] ?? assert.fail()
    const full = panel.as('full')
    await server.authorize((await full.serverSshPublicKey()).publicKey)
    const { job } = await full.serverCreate({
      body: { name: 'vps', sshHost: server.address, devDomain: 'vps.localhost', provision: true },
    })
    await finished(job?.id ?? '')
    const created = await full.siteCreate({
      body: {
        title: 'Hello',
        slug: 'hello',
        domainMode: 'dev',
        adminUser: 'ada',
        adminEmail: 'ada@example.com',
        serverId: 2,
      },
    })
    await finished(created.job.id)
    await until('the first counting', async () => (await trafficSoon()).totals.requests > 0, 100_000)
    asked = (await traffic()).totals.requests
  })
  after(async () => {
    await panel?.stop()
    await fleet?.[Symbol.asyncDispose]()
  })

  it('is exactly what visitors asked for, by status and path', async () => {
    const { totals: before } = await traffic()
    assert.deepEqual(
      [await ask('/?x=1', 7), await ask('/no-such-page', 5), await ask('/wp-admin/', 3)],
      [200, 404, 302],
    )
    await exactlyCounted()
    const { totals, topPaths, buckets } = await traffic()
    const grown = (name: keyof typeof totals.status) => totals.status[name] - before.status[name]
    assert.deepEqual([grown('2xx'), grown('3xx'), grown('4xx'), grown('5xx')], [7, 3, 5, 0])
    assert.ok(totals.bytes > before.bytes + 7 * 1000)
    assert.ok(topPaths.some(({ path, requests }) => path === '/no-such-page' && requests === 5))
    assert.ok(topPaths.some(({ path, requests }) => path === '/' && requests >= 7))
    assert.equal(
      buckets.reduce((sum, bucket) => sum + bucket.requests, 0),
      totals.requests,
    )
  })

  it('continues through a restart of the edge and of the panel, and counts what came while the panel was away', async () => {
    await ask('/before-restart', 4)
    await server.exec(['docker', 'restart', 'fleetpress-edge'])
    await until('the edge', async () => (await ask('/', 1).catch(() => 0)) === 200, 30_000)
    await ask('/after-restart', 4)
    const { config } = panel
    await panel.close()
    await ask('/panel-away', 6)
    panel = await testPanel({ config })
    await exactlyCounted()
    assert.ok((await traffic()).topPaths.some(({ path, requests }) => path === '/panel-away' && requests === 6))
  })

  it('continues while the log is put aside, which happens by itself before it fills the disk', async () => {
    await ask('/before-rotation', 3)
    await flood()
    await ask('/at-rotation', 3)
    await until('the rotation', async () => (await shell(`ls ${LOGS}/access.json.1`)) !== '', 60_000)
    await ask('/after-rotation', 3)
    await sleep(1500)
    assert.match(await shell(`cat ${LOGS}/access.json`), /after-rotation/)
    await exactlyCounted()
    for (let round = 0; round < 4; round++) {
      await flood()
      await shell(`docker exec fleetpress-edge /usr/local/bin/rotate-logs /var/log/fleetpress 1`)
      await sleep(1500)
      await ask('/flood', 1)
    }
    const files = await shell(`ls ${LOGS}`)
    assert.deepEqual(files.split('\n'), ['access.json', 'access.json.1', 'access.json.2', 'access.json.3', 'error.log'])
    assert.ok(Number(await shell(`du -sm ${LOGS} | cut -f 1`)) < 350)
    const check = ['docker', 'exec', 'fleetpress-edge', 'nginx', '-t', '-c', '/srv/fleetpress/edge/current/nginx.conf']
    assert.equal((await server.exec(check)).exitCode, 0, 'the edge takes its next configuration')
  })

  it('is not led astray by what visitors send', async () => {
    const { config } = panel
    await panel.close()
    panel = await testPanel({ config })
    // Nothing was lost in the files that were put aside either.
    await exactlyCounted()
    const hostile = ['"', '\\', '\\"}', '","site":"other', '\u001b[2J', '%0a{"time":"1"}', 'ü', '\xff', '<script>']
    for (const text of hostile) {
      const socket = connect(80, server.address)
      const head = [`GET /x${text.replaceAll('\u001b', '%1b')} HTTP/1.1`, `Host: ${HOSTNAME}`, `User-Agent: a${text}`]
      socket.write(Buffer.from(`${[...head, `Referer: ${text}`, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'latin1'))
      const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(20_000) })
      assert.match(String(answer), /^HTTP\/1\.1 \d{3} /, text)
      socket.destroy()
      asked += 1
    }
    await exactlyCounted()
  })
})
