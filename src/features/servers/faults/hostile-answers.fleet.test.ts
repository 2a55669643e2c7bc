import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { until } from '#test/fleet/until.ts'
import type { Fleet, Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn, register } from '#test/support/drive-panel.ts'
import { shellOn } from '#test/support/fault-house.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'

const CANARY = `/tmp/CANARY-${process.pid}`
/** Ends every kind of quote, runs a program in every kind of shell text, then speaks to the terminal. */
const HOSTILE = `x'"\`touch ${CANARY}\`$(touch ${CANARY});touch ${CANARY}\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e`
/** A hostname has room for 64 bytes, and a space would end it. */
const HOSTILE_NAME = `$(touch\${IFS}${CANARY})\u001b[2J\u0007`
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

/** Programs of the server that say something else, each given its output on stdin too. */
const OS_RELEASE = `cat > /etc/os-release; printf 'ID=debian\\nVERSION_ID="12"\\n' >> /etc/os-release`
const HOST_NAME = 'cat > /proc/sys/kernel/hostname'
const DF = `cat > /usr/local/share/hostile
printf '%s\\n' '#!/bin/sh' 'echo "1B-blocks Avail Filesystem"' 'printf "99999999999 88888888888 "' \\
  'cat /usr/local/share/hostile' > /usr/local/bin/df
printf '%s\\n' '#!/bin/sh' 'cat /usr/local/share/hostile /usr/local/share/hostile >&2' 'cat /usr/local/share/hostile' \\
  'exec /usr/bin/apt-get "$@"' > /usr/local/bin/apt-get
chmod 755 /usr/local/bin/*`
const CONTAINERS = `label=$(cat)
image=$(docker image ls -q fleetpress/edge)
docker run -d --name hostile.-_1 --label "fleetpress.site=$label" --label "fleetpress.stack=$label" \\
  --label "\${label// /}=$label" --network none --entrypoint sleep "$image" 1000`
const LIAR = `printf '%s\\n' '#!/bin/sh' 'cat /usr/local/share/hostile >&2' 'exit 9' > /usr/local/bin/dpkg-query
chmod 755 /usr/local/bin/dpkg-query`

describe('a server whose answers are an attack', { timeout: 300_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let panel: TestPanel
  let id: number
  before(async () => {
    fleet = await ownServers(1)
    const [first] = fleet.servers
    assert.ok(first)
    server = first
    panel = await testPanel()
    await panel.engine.start()
    // So that there is something to install, and to tell of.
    await put('apt-get remove -y zstd', '')
    await put(OS_RELEASE, `PRETTY_NAME="${HOSTILE}\r"\n`)
    await put(HOST_NAME, HOSTILE_NAME)
    await put(DF, HOSTILE)
    id = await register(panel, server)
  })
  after(async () => {
    rmSync(CANARY, { force: true })
    await panel?.stop()
    await fleet?.[Symbol.asyncDispose]()
  })

  const put = async (script: string, input: string): Promise<void> => {
    const { exitCode, stderr } = await server.exec(['bash', '-c', script], { input })
    assert.equal(exitCode, 0, stderr)
  }

  /** Every text in an answer, names of fields included. */
  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)])
  }

  const assertClean = (answer: unknown): void => {
    for (const text of textsIn(answer)) assert.doesNotMatch(text, CONTROL, JSON.stringify(text))
  }

  it('tells what it says about itself without a control character', async () => {
    const info = await panel.as('full').serverInfo({ params: { id }, query: { refresh: 'true' } })
    assertClean(info)
    assert.match(info.os ?? '', /touch/)
    assert.match(info.hostname ?? '', /touch/)
    assert.equal(info.diskFreeBytes, 88_888_888_888)
    assertClean(await panel.as('full').serverTest({ params: { id } }))
    const storage = await panel.as('full').serverStorage({ params: { id }, query: { path: '/srv/other' } })
    assertClean(storage)
    assert.match(storage.backupRoot.filesystem ?? '', /touch/)
  })

  it('is set up, and the log shows what its programs said as harmless text', async () => {
    const { job } = await panel.as('full').serverReprovision({ params: { id }, body: {} })
    const end = await endedOn(panel, job, 180_000)
    assert.equal(end.status, 'succeeded', await logOn(panel, job))
    const shown = await panel.as('full').jobGet({ params: { id: job.id }, query: {} })
    assertClean(shown)
    assert.ok(shown.logs.filter(({ text }) => text.includes('touch')).length >= 3)
  })

  it('is watched, and its containers bring nothing of their labels along', async () => {
    await put(CONTAINERS, HOSTILE)
    // The first sample is taken some seconds after a start.
    await panel.close()
    panel = await testPanel({ config: panel.config })
    await panel.engine.start()
    const overview = () => panel.as('full').monitorOverview()
    const isSampled = async () => (await overview()).servers.some(one => one.serverId === id && one.at !== null)
    await until('Sampling the server', isSampled, 30_000)
    const answer = await overview()
    assertClean(answer)
    assert.deepEqual(answer.sites, [])
    assert.deepEqual(
      answer.servers
        .find(one => one.serverId === id)
        ?.stack.map(({ part }) => part)
        .toSorted(),
      ['database', 'database-proxy', 'edge', 'relay'],
    )
    assertClean(await panel.as('full').serverInfo({ params: { id }, query: { refresh: 'true' } }))
  })

  it('fails a job with a reason that is harmless text, too', async () => {
    await put(LIAR, '')
    const { job } = await panel.as('full').serverReprovision({ params: { id }, body: {} })
    const end = await endedOn(panel, job, 60_000)
    assert.equal(end.error?.code, 'command_failed')
    assert.match(end.error?.output ?? '', /touch/)
    assertClean(await panel.as('full').jobGet({ params: { id: job.id }, query: {} }))
    assertClean(await panel.as('full').serverGet({ params: { id } }))
    assertClean(await panel.as('full').keyActivity({ query: {} }))
  })

  it('has run nothing, here or there', async () => {
    assert.equal(existsSync(CANARY), false)
    const found = await shellOn(server)('find / -xdev -name "*CANARY*" -not -path "/proc/*" 2>/dev/null; ls /tmp')
    assert.doesNotMatch(found, /CANARY/)
  })
})
