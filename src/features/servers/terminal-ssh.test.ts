import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { features } from '#app/features.ts'
import type { Hosts } from '#platform/host/hosts.ts'
import { SshHost } from '#platform/host/ssh/ssh-host.ts'
import { problemOf } from '#test/generated/answers.ts'
import { bearer, type Callers, callersOf, type Headers } from '#test/generated/callers.ts'
import { freePort, listening } from '#test/generated/raw.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { refusalOf } from '#test/support/socket.ts'
import { type Sshd, startSshd } from '#test/support/sshd.ts'
import { openTerminal, startSleep, terminalOf, typeInto, untilDead } from '#test/support/terminal.ts'
import { findServer, insertServer } from './server-store.ts'

/** Every server is the sshd of this test: the panel itself would never take the loopback for one. */
const hostsAt = (sshd: Sshd): Hosts => {
  const host = new SshHost({ name: 'server 2', target: async () => sshd.target() })
  return { get: () => host, forget: async () => {}, close: () => host.close() }
}

const openPanel = async (sshd: Sshd): Promise<TestPanel> => {
  const wired = features.map(feature => (feature.hosts ? { ...feature, hosts: () => hostsAt(sshd) } : feature))
  const panel = await testPanel({ features: wired, env: { FLEETPRESS_PORT: await freePort() } })
  await listening(panel)
  const { db } = panel.foundation.database
  const own = await findServer(db, 1)
  assert.ok(own)
  await insertServer(db, { ...own, name: 'Another', ssh_host: 'server.example', dev_domain: 'other.localhost' })
  return panel
}

describe('the terminal of a server over SSH', { timeout: 300_000 }, () => {
  const terminal = terminalOf(2)
  let sshd: Sshd
  let panel: TestPanel
  let callers: Callers
  let full: Headers
  before(async () => {
    sshd = await startSshd({ lines: ['LogLevel VERBOSE'] })
    panel = await openPanel(sshd)
    callers = await callersOf(panel)
    full = bearer(panel.token.full)
  })
  after(async () => {
    await panel.stop()
    await sshd.stop()
  })

  it('opens nothing on the server for anyone who may not have it', async () => {
    const { cookie = '' } = callers.person
    const strangers = [
      callers.anonymous,
      callers['unknown key'],
      callers['revoked key'],
      callers['read-only'],
      callers.manage,
      { cookie },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
    ]
    for (const headers of strangers) assert.ok((await refusalOf(panel, terminal, headers)).status < 404)
    assert.doesNotMatch(readFileSync(join(sshd.folder, 'log'), 'utf8'), /Accepted|Starting session/)
  })

  it('is a shell of root that follows the size of the window and tells its exit code', async () => {
    const socket = await openTerminal(panel, full, `${terminal}?cols=100&rows=30`)
    assert.equal(await typeInto(socket, 'echo "user "$(id -u)', /user (\d+)/), String(userInfo().uid))
    assert.equal(await typeInto(socket, 'echo "size "$(stty size)', /size (\d+ \d+)/), '30 100')
    socket.ws.send('{"type":"resize","cols":132,"rows":43}')
    assert.equal(await typeInto(socket, 'echo "size "$(stty size)', /size (\d+ \d+)/), '43 132')
    socket.ws.send(Buffer.from('exit 7\r'))
    assert.deepEqual(await socket.closed, { code: 1000, reason: '' })
    assert.deepEqual(socket.texts, ['{"type":"exit","exitCode":7}'])
  })

  it('ends with the tab: the shell and what runs in it are gone within 10 s', async () => {
    const socket = await openTerminal(panel, full, terminal)
    const pids = await startSleep(socket)
    socket.ws.terminate()
    await untilDead(pids)
  })

  it('says so when the server is lost, and answers 502 while it cannot be reached', async () => {
    const socket = await openTerminal(panel, full, terminal)
    await typeInto(socket, 'echo "here "$$', /here \d+/)
    await sshd.kill()
    const { code, reason } = await socket.closed
    assert.equal(code, 1014, reason)
    assert.match(reason, /can't reach/)
    const answer = await refusalOf(panel, terminal, full)
    assert.deepEqual([answer.status, problemOf(answer).code], [502, 'bad_gateway'])
    await sshd.start()
    const again = await openTerminal(panel, full, terminal)
    again.ws.close()
    await again.closed
  })
})
