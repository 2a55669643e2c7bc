import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { serverApplySiteLimits } from '#features/stack/jobs/server.apply-site-limits.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Fleet, type Vps, vps } from '#test/fleet/vps.ts'
import { problemOf } from '#test/generated/answers.ts'
import { bearer } from '#test/generated/callers.ts'
import { freePort, listening } from '#test/generated/raw.ts'
import { endedOn, register } from '#test/support/drive-panel.ts'
import { shellOn } from '#test/support/fault-house.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { refusalOf } from '#test/support/socket.ts'
import { openTerminal, terminalOf, typeInto } from '#test/support/terminal.ts'

const LIMIT_MS = 60_000
const NEW_KEYS = `rm /etc/ssh/ssh_host_*
for kind in ecdsa ed25519; do ssh-keygen -q -N '' -t $kind -f /etc/ssh/ssh_host_\${kind}_key; done
journalctl --rotate --vacuum-time=1s > /dev/null 2>&1`
const countIn = (text: string) => `journalctl -t sshd --no-pager | grep -c '${text}'`

describe('a server that shows another host key', { timeout: 300_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let panel: TestPanel
  let id: number
  let trusted: string | undefined
  before(async () => {
    fleet = await vps(1, { docker: true })
    const [first] = fleet.servers
    assert.ok(first)
    server = first
    panel = await testPanel({ env: { FLEETPRESS_PORT: await freePort() } })
    await listening(panel)
    await panel.engine.start()
    id = await register(panel, server)
    await shellOn(server)('echo LogLevel DEBUG1 > /etc/ssh/sshd_config.d/20-log.conf')
    await server.killSshd()
    await reachesAll()
    trusted = await fingerprint()
    await shellOn(server)(NEW_KEYS)
    await server.killSshd()
  })
  after(async () => {
    await panel?.stop()
    await fleet?.[Symbol.asyncDispose]()
  })

  const fingerprint = async () => (await panel.as('full').serverGet({ params: { id } })).hostKey?.fingerprint
  const count = async (text: string) => Number(await shellOn(server)(countIn(text)))
  const logins = () => count('userauth-request')

  const reachesAll = async () => {
    const api = panel.as('full')
    assert.equal((await api.serverInfo({ params: { id }, query: { refresh: 'true' } })).reachable, true)
    assert.equal((await api.serverTest({ params: { id } })).ok, true)
    assert.ok((await api.serverStorage({ params: { id }, query: {} })).backupRoot.totalBytes)
    const { jobs } = panel.world.scope(systemActor('test'))
    const job = await endedOn(panel, await jobs.enqueue(serverApplySiteLimits, { serverId: id }), LIMIT_MS)
    assert.equal(job.status, 'succeeded', job.error?.message)
    const socket = await openTerminal(panel, bearer(panel.token.full), terminalOf(id))
    assert.equal(await typeInto(socket, 'echo "user "$(id -u)', /user (\d+)/), '0')
    socket.ws.terminate()
  }

  const reasonOf = async (asked: Promise<unknown>): Promise<unknown> => {
    const error = await asked.then(
      () => assert.fail('it was answered'),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof Problem, String(error))
    return (error.details as { reason: string } | null)?.reason
  }

  it('is told apart in info and test, with what to do', async () => {
    const api = panel.as('full')
    const info = await api.serverInfo({ params: { id }, query: { refresh: 'true' } })
    assert.deepEqual([info.reachable, info.reason], [false, 'host_key_changed'])
    assert.ok(trusted && info.problem?.includes(trusted), info.problem ?? '')
    const { ok, checks } = await api.serverTest({ params: { id } })
    assert.equal(ok, false)
    assert.deepEqual(
      checks.map(({ name, reason }) => [name, reason]),
      [['connection', 'host_key_changed']],
    )
    assert.match(checks[0]?.todo ?? '', /trust the new key/)
  })

  it('gets no request, no job and no terminal: each fails with host_key_changed', async () => {
    const api = panel.as('full')
    const to = '/srv/elsewhere'
    assert.equal(await reasonOf(api.serverStorage({ params: { id }, query: {} })), 'host_key_changed')
    assert.equal(await reasonOf(api.serverRelocateBackups({ params: { id }, body: { to } })), 'host_key_changed')
    for (const body of [{}, { rootUser: 'root' } as const]) {
      const { job } = await api.serverReprovision({ params: { id }, body })
      assert.equal((await endedOn(panel, job, LIMIT_MS)).error?.code, 'host_key_changed')
    }
    const { jobs } = panel.world.scope(systemActor('test'))
    const limits = await endedOn(panel, await jobs.enqueue(serverApplySiteLimits, { serverId: id }), LIMIT_MS)
    assert.equal(limits.error?.code, 'host_key_changed')
    const refused = await refusalOf(panel, terminalOf(id), bearer(panel.token.full))
    assert.equal(refused.status, 502)
    assert.deepEqual(problemOf(refused).details, { reason: 'host_key_changed' })
  })

  it('has seen the panel come and not one attempt to sign in', async () => {
    assert.ok((await count('Connection from')) >= 7)
    assert.equal(await logins(), 0)
    assert.equal(await fingerprint(), trusted)
  })

  it('is trusted again on request, and everything works with the new key', async () => {
    const shown = await panel.as('full').serverUpdate({ params: { id }, body: { retrustHostKey: true } })
    const real = await shellOn(server)('ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub')
    assert.equal(shown.hostKey?.fingerprint, real.split(' ')[1])
    assert.notEqual(shown.hostKey?.fingerprint, trusted)
    await reachesAll()
    assert.ok((await logins()) > 0)
  })
})
