import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LocalHost } from '#platform/host/local-host.ts'
import { awaitQuiet } from './await-quiet.ts'

describe('waiting until a site is asked for nothing more', { timeout: 300_000 }, () => {
  it('ends when the last connection to it is closed, and not before', async () => {
    const server = createServer(socket => socket.resume())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const visitor = connect(port, '127.0.0.1')
    await once(visitor, 'connect')
    const waiting = awaitQuiet(new LocalHost(), '127.0.0.1', port, new AbortController().signal)
    assert.equal(await Promise.race([waiting, sleep(1500, 'still waiting')]), 'still waiting')
    visitor.end()
    await waiting
    server.close()
  })
})
