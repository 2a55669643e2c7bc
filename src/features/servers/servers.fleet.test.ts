import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { until } from '#test/fleet/until.ts'
import { type Vps, vps } from '#test/fleet/vps.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'

const PROVISION_LIMIT_MS = 10 * 60_000

interface Inspected {
  Name: string
  State: { Health?: { Status: string } }
  HostConfig: {
    Privileged: boolean
    ReadonlyRootfs: boolean
    CapDrop: string[]
    CapAdd: string[] | null
    SecurityOpt: string[]
    PidMode: string
    IpcMode: string
    NetworkMode: string
    Memory: number
    NanoCpus: number
    PidsLimit: number
    Devices: unknown[] | null
  }
  Mounts: { Source: string; RW: boolean }[]
}

const inspect = async (server: Vps, name: string): Promise<Inspected> => {
  const { stdout } = await server.exec(['docker', 'inspect', name])
  return (JSON.parse(stdout) as [Inspected])[0]
}

describe('a blank machine and one that was a server before become servers of the fleet', {
  timeout: 20 * 60_000,
}, () => {
  const held = new AsyncDisposableStack()
  let servers: Vps[]
  let panel: TestPanel
  let ids: number[] = []

  const finished = async (id: string): Promise<Job> => {
    const until = Date.now() + PROVISION_LIMIT_MS
    for (;;) {
      const { job } = await panel.as('full').jobGet({ params: { id }, query: {} })
      if (TERMINAL.includes(job.status)) return job
      assert.ok(Date.now() < until, `${job.type} takes too long: ${job.step}`)
      await sleep(500)
    }
  }

  const logOf = async (id: string): Promise<string> => {
    const { logs } = await panel.as('full').jobGet({ params: { id }, query: {} })
    return logs.map(line => line.text).join('\n')
  }

  const succeeded = async (job: Job | null): Promise<Job> => {
    assert.ok(job)
    const end = await finished(job.id)
    assert.equal(end.status, 'succeeded', `${end.error?.message}\n${await logOf(job.id)}`)
    return end
  }

  before(async () => {
    panel = await testPanel()
    await panel.engine.start()
    const [blank] = held.use(await vps(1)).servers
    const [used] = held.use(await ownServers(1)).servers
    assert.ok(blank && used)
    servers = [blank, { ...used, name: 'vps2' }]
  })
  after(async () => {
    await panel?.stop()
    await held.disposeAsync()
  })

  it('refuses a machine that does not know the panel, says what to do, and keeps nothing', async () => {
    const [one] = servers
    assert.ok(one)
    const { publicKey } = await panel.as('read-only').serverSshPublicKey()
    const answer = await panel.ask('/api/servers', {
      method: 'POST',
      headers: { authorization: `Bearer ${panel.token.full}` },
      body: { name: 'one', sshHost: one.address, devDomain: 'one.localhost', provision: true },
    })
    assert.equal(answer.status, 502, answer.text)
    assert.ok(answer.text.includes(publicKey))
    assert.equal((await panel.as('read-only').serverList()).items.length, 1)
  })

  it('sets both up through the API alone', async () => {
    const { publicKey } = await panel.as('read-only').serverSshPublicKey()
    const jobs = []
    for (const server of servers) {
      await server.authorize(publicKey)
      const answer = await panel.as('full').serverCreate({
        body: { name: server.name, sshHost: server.address, devDomain: `${server.name}.localhost`, provision: true },
      })
      ids.push(answer.server.id)
      assert.ok(answer.checks.every(check => check.ok))
      jobs.push(answer.job)
    }
    for (const job of jobs) await succeeded(job)
    assert.deepEqual(ids, [2, 3])
    for (const id of ids) {
      const server = await panel.as('read-only').serverGet({ params: { id } })
      assert.equal(server.status, 'ready')
      assert.match(server.hostKey?.fingerprint ?? '', /^SHA256:/)
      const { ok, checks } = await panel.as('manage').serverTest({ params: { id } })
      assert.ok(ok, JSON.stringify(checks, null, 2))
    }
  })

  it('runs each part of the stack without privilege, within limits, far from the Docker socket', async () => {
    for (const server of servers) {
      for (const name of ['fleetpress-edge', 'fleetpress-database', 'fleetpress-database-proxy', 'fleetpress-relay']) {
        const { HostConfig: config, Mounts } = await inspect(server, name)
        assert.equal(config.Privileged, false)
        assert.equal(config.ReadonlyRootfs, true)
        assert.deepEqual(config.CapDrop, ['ALL'])
        assert.deepEqual(config.SecurityOpt, ['no-new-privileges'])
        assert.equal(config.PidMode, '')
        assert.equal(config.IpcMode, 'private')
        assert.ok(config.Memory > 0 && config.NanoCpus > 0 && config.PidsLimit > 0)
        assert.deepEqual(config.Devices ?? [], [])
        assert.ok(Mounts.every(mount => mount.Source.startsWith('/srv/fleetpress/')))
        await until(
          `${name} is healthy`,
          async () => (await inspect(server, name)).State.Health?.Status === 'healthy',
          90_000,
        )
      }
      for (const name of ['fleetpress-database', 'fleetpress-database-proxy']) {
        assert.equal((await inspect(server, name)).HostConfig.NetworkMode, 'none')
        assert.deepEqual((await inspect(server, name)).HostConfig.CapAdd ?? [], [])
      }
    }
  })

  it('answers an unknown name with 421 and never with some site', async () => {
    for (const server of servers) {
      const answer = await fetch(`http://${server.address}/`)
      assert.equal(answer.status, 421)
    }
  })

  it('changes nothing when it is done again', async () => {
    const [server] = servers
    const [id] = ids
    assert.ok(server && id)
    const before = (await server.exec(['docker', 'ps', '--no-trunc', '--quiet'])).stdout
    const { job } = await panel.as('full').serverReprovision({ params: { id }, body: {} })
    await succeeded(job)
    assert.equal((await server.exec(['docker', 'ps', '--no-trunc', '--quiet'])).stdout, before)
    const log = await logOf(job.id)
    assert.match(log, /All packages are already installed/)
    assert.match(log, /edge: running \(container unchanged, configuration unchanged\)/)
  })

  it('tells what the machine is', async () => {
    const [id] = ids
    assert.ok(id)
    const info = await panel.as('read-only').serverInfo({ params: { id }, query: {} })
    assert.equal(info.reachable, true)
    assert.match(info.os ?? '', /Debian/)
    assert.match(info.dockerVersion ?? '', /^\d+\./)
    assert.equal(info.firewall, true)
    assert.deepEqual(
      info.stack.map(part => [part.name, part.healthy]),
      [
        ['database', true],
        ['database-proxy', true],
        ['edge', true],
        ['relay', true],
      ],
    )
  })

  it('is back after a reboot', async () => {
    const [server] = servers
    const [id] = ids
    assert.ok(server && id)
    await server.reboot()
    const until = Date.now() + 60_000
    for (;;) {
      const { ok, checks } = await panel.as('manage').serverTest({ params: { id } })
      if (ok) break
      assert.ok(Date.now() < until, JSON.stringify(checks, null, 2))
      await sleep(1000)
    }
  })
})
