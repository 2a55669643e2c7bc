import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import type { Job } from '#platform/contract/job.ts'
import { type Fleet, type Vps, vps } from '#test/fleet/vps.ts'
import { bearer } from '#test/generated/callers.ts'
import { freePort, listening } from '#test/generated/raw.ts'
import { endedOn, logOn, register } from '#test/support/drive-panel.ts'
import { shellOn } from '#test/support/fault-house.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { openTerminal, terminalOf, typeInto } from '#test/support/terminal.ts'
import { serverApplySiteLimits } from '../jobs/server.apply-site-limits.ts'

const LIMIT_MS = 10 * 60_000
const NO_ROOT = `echo PermitRootLogin no > /etc/ssh/sshd_config.d/05-no-root.conf && systemctl restart ssh`

describe('a blank Debian 13, through an account that may use sudo', { timeout: 15 * 60_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let panel: TestPanel
  let id: number
  before(async () => {
    fleet = await vps(1, { suite: 'trixie' })
    const [first] = fleet.servers
    assert.ok(first)
    server = first
    panel = await testPanel({ env: { FLEETPRESS_PORT: await freePort() } })
    await listening(panel)
    await panel.engine.start()
    id = await register(panel, server, 'deploy')
  })
  after(async () => {
    await panel?.stop()
    await fleet?.[Symbol.asyncDispose]()
  })

  const succeeds = async (job: Job): Promise<void> => {
    const end = await endedOn(panel, job, LIMIT_MS)
    assert.equal(end.status, 'succeeded', `${end.error?.message}\n${await logOn(panel, job)}`)
  }

  it('does not let the panel in before there is such an account, and says what to do', async () => {
    const { ok, checks } = await panel.as('full').serverTest({ params: { id } })
    assert.equal(ok, false)
    assert.match(checks[0]?.todo ?? '', /~deploy\/\.ssh\/authorized_keys/)
  })

  it('gets the account from root once, and its whole stack through the account', async () => {
    const { job } = await panel.as('full').serverReprovision({ params: { id }, body: { rootUser: 'root' } })
    await succeeds(job)
    assert.equal((await panel.as('full').serverGet({ params: { id } })).status, 'ready')
    assert.match(await shellOn(server)('id -nG deploy'), /\bdocker\b/)
    assert.match(await shellOn(server)('sudo -lU deploy'), /NOPASSWD: ALL/)
  })

  it('needs root no more: tests, info, jobs and a second set-up work with root locked out', async () => {
    await shellOn(server)(NO_ROOT)
    await server.killSshd()
    const api = panel.as('full')
    const { ok, checks } = await api.serverTest({ params: { id } })
    assert.ok(ok, JSON.stringify(checks))
    const info = await api.serverInfo({ params: { id }, query: { refresh: 'true' } })
    assert.match(info.os ?? '', /Debian GNU\/Linux 13/)
    assert.ok(info.firewall)
    assert.deepEqual(
      info.stack.map(({ name, healthy }) => [name, healthy]),
      [
        ['database', true],
        ['database-proxy', true],
        ['edge', true],
        ['relay', true],
      ],
    )
    await succeeds((await api.serverReprovision({ params: { id }, body: {} })).job)
    const { jobs } = panel.world.scope(systemActor('test'))
    await succeeds(await jobs.enqueue(serverApplySiteLimits, { serverId: id }))
  })

  it('has a terminal of root anyway', async () => {
    const socket = await openTerminal(panel, bearer(panel.token.full), terminalOf(id))
    assert.equal(await typeInto(socket, 'echo "user "$(id -u)', /user (\d+)/), '0')
    socket.ws.terminate()
  })
})
