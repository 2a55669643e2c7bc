import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { type Fleet, type Vps, vps } from '#test/fleet/vps.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'

interface Page {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** As a visitor: to the edge of the server, under the name of the site. */
const visit = (address: string, hostname: string, path: string, form?: string, cookie = ''): Promise<Page> =>
  new Promise((resolve, reject) => {
    const headers = {
      host: hostname,
      cookie,
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const asked = request(
      { host: address, port: 80, path, method: form === undefined ? 'GET' : 'POST', headers },
      answer => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', chunk => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    asked.on('error', reject)
    asked.end(form)
  })

describe('the life of a site', { timeout: 20 * 60_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let panel: TestPanel
  const slug = 'hello'
  const hostname = 'hello.vps.localhost'

  const finished = async (id: string): Promise<Job> => {
    const until = Date.now() + 10 * 60_000
    for (;;) {
      const { job, logs } = await panel.as('full').jobGet({ params: { id }, query: {} })
      if (TERMINAL.includes(job.status)) {
        assert.equal(job.status, 'succeeded', `${job.error?.message}\n${logs.map(line => line.text).join('\n')}`)
        return job
      }
      assert.ok(Date.now() < until, `${job.type} takes too long: ${job.step}`)
      await sleep(200)
    }
  }

  const signIn = async (user: string, password: string): Promise<Page> => {
    const form = new URLSearchParams({ log: user, pwd: password, testcookie: '1' }).toString()
    return visit(server.address, hostname, '/wp-login.php', form, 'wordpress_test_cookie=WP%20Cookie%20check')
  }

  before(async () => {
    panel = await testPanel()
    await panel.engine.start()
    fleet = await vps(1, { docker: true })
    const [first] = fleet.servers
    assert.ok(first)
    server = first
    const { publicKey } = await panel.as('full').serverSshPublicKey()
    await server.authorize(publicKey)
    const { job } = await panel.as('full').serverCreate({
      body: { name: 'vps', sshHost: server.address, devDomain: 'vps.localhost', provision: true },
    })
    assert.ok(job)
    await finished(job.id)
  })
  after(async () => {
    await panel?.stop()
    await fleet?.[Symbol.asyncDispose]()
  })

  it('begins with a WordPress that answers, and a password that only those who manage see', async t => {
    const began = performance.now()
    const { job } = await panel.as('manage').siteCreate({
      body: {
        title: `It's "Hello" & <b>`,
        slug,
        domainMode: 'dev',
        adminUser: 'ada',
        adminEmail: 'ada@example.com',
        serverId: 2,
      },
    })
    await finished(job.id)
    t.diagnostic(`created in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    const asManager = await panel.as('manage').jobGet({ params: { id: job.id }, query: {} })
    const { url, adminPassword } = asManager.job.result as { url: string; adminPassword: string }
    assert.equal(url, `http://${hostname}`)
    const asReader = await panel.as('read-only').jobGet({ params: { id: job.id }, query: {} })
    assert.equal((asReader.job.result as { adminPassword: unknown }).adminPassword, null)
    assert.ok(!JSON.stringify(asManager.logs).includes(adminPassword))
    const page = await visit(server.address, hostname, '/')
    assert.equal(page.status, 200)
    assert.match(page.text, /It(?:&#8217;|’|&#039;)s/)
    const refused = await signIn('ada', 'wrong')
    assert.equal(refused.status, 200)
    const accepted = await signIn('ada', adminPassword)
    assert.equal(accepted.status, 302, accepted.text.slice(0, 500))
    assert.match(String(accepted.headers['set-cookie']), /wordpress_logged_in/)
    const site = await panel.as('read-only').siteGet({ params: { slug } })
    assert.equal(site.status, 'running')
    assert.match(site.wordpressVersion ?? '', /^\d+\.\d+/)
  })

  it('is one container without privilege, as www-data, on a network of its own', async () => {
    const { stdout } = await server.exec(['docker', 'inspect', 'fleetpress-site-hello'])
    const [found] = JSON.parse(stdout) as [{ Config: { User: string }; HostConfig: Record<string, unknown> }]
    assert.equal(found.Config.User, '33:33')
    const { Privileged, ReadonlyRootfs, CapDrop, CapAdd, SecurityOpt, PidsLimit, Memory } = found.HostConfig
    assert.deepEqual([Privileged, ReadonlyRootfs, CapDrop, CapAdd ?? []], [false, true, ['ALL'], []])
    assert.deepEqual(SecurityOpt, ['no-new-privileges'])
    assert.ok(Number(PidsLimit) > 0 && Number(Memory) > 0)
    const users = await server.exec(['docker', 'top', 'fleetpress-site-hello', '-eo', 'pid,uid'])
    const lines = users.stdout.trim().split('\n').slice(1)
    assert.deepEqual([...new Set(lines.map(line => line.trim().split(/\s+/)[1]))], ['33'])
  })

  it('stops, starts, restarts and changes its PHP', async () => {
    const api = panel.as('manage')
    const php = async () =>
      (await server.exec(['docker', 'exec', 'fleetpress-site-hello', 'php', '-r', 'echo PHP_VERSION;'])).stdout
    await finished((await api.siteStop({ params: { slug } })).job.id)
    assert.equal((await visit(server.address, hostname, '/')).status, 503)
    assert.equal((await api.siteGet({ params: { slug } })).status, 'stopped')
    await finished((await api.siteStart({ params: { slug } })).job.id)
    assert.equal((await visit(server.address, hostname, '/')).status, 200)
    await finished((await api.siteRestart({ params: { slug } })).job.id)
    for (const version of ['8.2', '8.4'] as const) {
      await finished((await api.sitePhp({ params: { slug }, body: { version } })).job.id)
      assert.ok((await php()).startsWith(version))
      assert.equal((await visit(server.address, hostname, '/')).status, 200)
    }
  })

  it('is left alone when it is as it should be, and mended when it is not', async () => {
    const api = panel.as('full')
    const idOf = async () => (await server.exec(['docker', 'inspect', '-f', '{{.Id}}', 'fleetpress-site-hello'])).stdout
    const before = await idOf()
    const same = await finished((await api.siteReconcile({ params: { slug } })).job.id)
    assert.deepEqual(same.result, { change: 'none' })
    assert.equal(await idOf(), before)
    await server.exec(['docker', 'rm', '-f', 'fleetpress-site-hello'])
    const { jobs } = await api.siteReconcileAll({ body: {} })
    assert.equal(jobs.length, 1)
    const mended = await finished(jobs[0]?.id ?? '')
    assert.deepEqual(mended.result, { change: 'created' })
    assert.equal((await visit(server.address, hostname, '/')).status, 200)
  })

  it('ends without a trace', async () => {
    await assert.rejects(panel.as('full').serverDelete({ params: { id: 2 }, query: {} }), /1 sites live/)
    await finished((await panel.as('full').siteDelete({ params: { slug }, query: {} })).job.id)
    assert.equal((await visit(server.address, hostname, '/')).status, 421)
    const shell = async (text: string) => (await server.exec(['bash', '-c', text])).stdout
    assert.equal(await shell('docker ps -a --format "{{.Names}}" | grep hello'), '')
    assert.equal(await shell('docker network ls --format "{{.Name}}" | grep hello'), '')
    assert.equal(await shell('ls /srv/fleetpress/sites'), '')
    assert.equal(await shell('ls /srv/fleetpress/database/data | grep wp_'), '')
    assert.equal(await shell('grep -rl hello /srv/fleetpress/edge/current/ || true'), '')
    assert.deepEqual((await panel.as('read-only').siteList({ query: {} })).items, [])
    const { db } = panel.foundation.database
    assert.deepEqual(await db.selectFrom('site_hostname').selectAll().execute(), [])
  })
})
