import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { assertAnswer } from '#test/generated/answers.ts'
import { bearer, type Headers } from '#test/generated/callers.ts'
import { newFullKey } from '#test/generated/planted-sockets.ts'
import { freePort, listening } from '#test/generated/raw.ts'
import { useEmptyHome } from '#test/support/empty-home.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { refusalOf, until } from '#test/support/socket.ts'
import { isAlive, openTerminal, startSleep, terminalOf, typeInto, untilDead } from '#test/support/terminal.ts'

useEmptyHome()

const TERMINAL = terminalOf(1)

const openPanel = async () => {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: line => void lines.push(line) })
  const panel = await testPanel({ log, env: { FLEETPRESS_PORT: await freePort() } })
  await listening(panel)
  return { panel, lines }
}

describe('the terminal of a server', { timeout: 300_000 }, () => {
  let panel: TestPanel
  let lines: string[]
  let full: Headers
  before(async () => {
    ;({ panel, lines } = await openPanel())
    full = bearer(panel.token.full)
  })
  after(() => panel.stop())

  it('is a shell of root, as large as asked for, and follows the size of the window', async () => {
    const socket = await openTerminal(panel, full, `${TERMINAL}?cols=100&rows=30`)
    assert.equal(await typeInto(socket, 'echo "user "$(id -u)', /user (\d+)/), String(userInfo().uid))
    assert.equal(await typeInto(socket, 'echo "size "$(stty size)', /size (\d+ \d+)/), '30 100')
    socket.ws.send('{"type":"resize","cols":132,"rows":43}')
    assert.equal(await typeInto(socket, 'echo "size "$(stty size)', /size (\d+ \d+)/), '43 132')
    socket.ws.close()
    await socket.closed
  })

  it('is 80 by 24 when nothing is said, and understands keys such as Ctrl-C', async () => {
    const socket = await openTerminal(panel, full)
    assert.equal(await typeInto(socket, 'echo "size "$(stty size)', /size (\d+ \d+)/), '24 80')
    const pids = await startSleep(socket)
    socket.ws.send(Buffer.from([3]))
    await untilDead(pids.slice(1))
    assert.ok(isAlive(pids[0] ?? ''))
    socket.ws.close()
    await socket.closed
  })

  it('shows everything, then tells the exit code and closes', async () => {
    const socket = await openTerminal(panel, full)
    socket.ws.send(Buffer.from('seq -f "line %.0f of all" 100000; exit 7\r'))
    assert.deepEqual(await socket.closed, { code: 1000, reason: '' })
    assert.deepEqual(socket.texts, ['{"type":"exit","exitCode":7}'])
    assert.equal(socket.shown().match(/line \d+ of all\r\n/g)?.length, 100_000)
  })

  it('ends with the tab: the shell and what runs in it are gone within 10 s', async () => {
    const closed = await openTerminal(panel, full)
    const pids = await startSleep(closed)
    closed.ws.close()
    await untilDead(pids)
    const killed = await openTerminal(panel, full)
    const others = await startSleep(killed)
    killed.ws.terminate()
    await untilDead(others)
  })

  it('ends with the key: closed within 5 s, the shell gone', async () => {
    const { row, token } = await newFullKey(panel)
    const socket = await openTerminal(panel, bearer(token))
    const pids = await startSleep(socket)
    const revokedAt = performance.now()
    await panel.as('full').keyRevoke({ params: { id: row.id } })
    assert.equal((await socket.closed).code, 4401)
    assert.ok(performance.now() - revokedAt < 5_000)
    await untilDead(pids)
  })

  it('refuses sizes that are none, servers that are none, and lower levels, before anything is opened', async () => {
    const wrong = [
      'cols=$(id)',
      'cols=%24%28touch%20/tmp/x%29',
      'cols=0',
      'rows=1001',
      'rows=-1',
      'cols=1e2',
      'cols=',
      'x=1',
    ]
    for (const query of wrong) {
      const answer = await refusalOf(panel, `${TERMINAL}?${query}`, full)
      assert.equal(answer.status, 400, query)
      assertAnswer(answer, query)
    }
    assert.equal((await refusalOf(panel, '/api/servers/999/terminal', full)).status, 404)
    assert.equal((await refusalOf(panel, TERMINAL, bearer(panel.token.manage))).status, 403)
    assert.equal((await refusalOf(panel, TERMINAL, {})).status, 401)
  })

  it('closes with the reason when text is not a message it knows', async () => {
    for (const text of [
      '',
      'ls',
      '{"type":"resize"}',
      '{"type":"resize","cols":0,"rows":1}',
      '[1]',
      '{"type":"input"}',
    ]) {
      const socket = await openTerminal(panel, full)
      socket.ws.send(text)
      const { code, reason } = await socket.closed
      assert.equal(code, 1008, text)
      assert.match(reason, /^Text must be /)
    }
  })

  it('is in the log when it opens and closes, with server and caller, and never what was typed or shown', async () => {
    const socket = await openTerminal(panel, full)
    await typeInto(socket, 'echo "Senti"nel42', /Sentinel42/)
    lines.length = 0
    const next = await openTerminal(panel, full)
    await typeInto(next, 'echo "Senti"nel42', /Sentinel42/)
    for (const { ws, closed } of [socket, next]) {
      ws.close()
      await closed
    }
    await until('both are closed', () => lines.filter(line => line.includes('a terminal was closed')).length === 2)
    const opened = lines.find(line => line.includes('a terminal was opened')) ?? '{}'
    const { serverId, actor } = JSON.parse(opened) as { serverId: number; actor: string }
    assert.deepEqual({ serverId, actor }, { serverId: 1, actor: 'key test full' })
    assert.doesNotMatch(lines.join(), /Senti/)
  })
})

describe('a panel that stops', { timeout: 300_000 }, () => {
  it('leaves no shell behind', async () => {
    const { panel } = await openPanel()
    const socket = await openTerminal(panel, bearer(panel.token.full))
    const pids = await startSleep(socket)
    await panel.stop()
    assert.equal((await socket.closed).code, 1001)
    await untilDead(pids)
  })
})
