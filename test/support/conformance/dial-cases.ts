import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { it } from 'node:test'
import { DialFailed } from '#platform/host/errors.ts'
import type { Subject } from './subject.ts'

export const dialCases = (subject: Subject): void => {
  void it('speaks with a unix socket of the host', async () => {
    const { host, echoSocket } = subject()
    await assertEchoes(await host.dial({ socketPath: echoSocket }))
  })

  void it('speaks with a port of the host, itself and by address', async () => {
    const { host, echoPort } = subject()
    await assertEchoes(await host.dial({ port: echoPort }))
    await assertEchoes(await host.dial({ host: '127.0.0.1', port: echoPort }))
  })

  void it('holds 20 connections at once', async () => {
    const { host, echoSocket } = subject()
    await Promise.all(Array.from({ length: 20 }, async () => assertEchoes(await host.dial({ socketPath: echoSocket }))))
  })

  void it('throws DialFailed where nothing answers', async () => {
    const { host, folder } = subject()
    await assert.rejects(host.dial({ socketPath: `${folder}/no.sock` }), DialFailed)
    await assert.rejects(host.dial({ port: 1 }), DialFailed)
  })

  void it('does not dial when already aborted', async () => {
    const { host, echoPort } = subject()
    const reason = new Error('too late')
    await assert.rejects(
      host.dial({ port: echoPort }, { signal: AbortSignal.abort(reason) }),
      error => error === reason,
    )
  })
}

const assertEchoes = async (connection: Duplex): Promise<void> => {
  const sent = randomBytes(300_000)
  const received: Buffer[] = []
  let sizeBytes = 0
  connection.write(sent)
  const chunks: AsyncIterable<Buffer> = connection
  for await (const chunk of chunks) {
    received.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes >= sent.length) break
  }
  assert.deepEqual(Buffer.concat(received), sent)
}
