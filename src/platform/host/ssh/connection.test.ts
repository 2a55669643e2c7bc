import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { countProcesses } from '#test/support/conformance/count-processes.ts'
import { type SshdOptions, startSshd } from '#test/support/sshd.ts'
import { startProxy } from '#test/support/tcp-proxy.ts'
import { exec } from '../command.ts'
import { HostRefusedLogin, HostUnreachable } from '../errors.ts'
import { LocalHost } from '../local-host.ts'
import { SshHost } from './ssh-host.ts'

const LIMIT = { timeout: 300_000 }
/** Before 30 s of silence would be noticed at the usual pace. */
const LOST_WITHIN_MS = 20_000

/** A server behind a proxy, and the panel's connection to it. */
const makeFleet = async (t: TestContext, options: SshdOptions & { keepaliveMs?: number } = {}) => {
  const sshd = await startSshd(options)
  const proxy = await startProxy(sshd.port)
  let logins = 0
  const target = async () => {
    logins += 1
    return sshd.target({ port: proxy.port })
  }
  const host = new SshHost({ name: 'server 2', target, keepaliveMs: options.keepaliveMs ?? 10_000 })
  t.after(async () => {
    await host.close()
    proxy.close()
    await sshd.stop()
  })
  return { sshd, proxy, host, logins: () => logins }
}

/** A command that has begun, and how it ended. */
const startLong = async (host: SshHost, marker: string) => {
  const ready = Promise.withResolvers<void>()
  const command = exec('sh', '-c', 'echo ready; (trap "" TERM; sleep 300; :) & sleep 300; :', marker)
  const ended = host.stream(command, { onStdout: () => ready.resolve() }).catch((error: unknown) => error)
  await ready.promise
  return { ended }
}

const countSoon = async (marker: string, withinMs: number): Promise<number> => {
  const deadline = performance.now() + withinMs
  for (;;) {
    const count = await countProcesses({ host: new LocalHost() }, marker)
    if (count === 0 || performance.now() > deadline) return count
    await delay(100)
  }
}

void describe('a connection that is lost', () => {
  void it('fails what runs at once when it is reset, ends it on the server, and is recreated', LIMIT, async t => {
    const { host, proxy, logins } = await makeFleet(t)
    const marker = `marker-${randomUUID()}`
    const { ended } = await startLong(host, marker)
    const cutAt = performance.now()
    proxy.reset()
    assert.ok((await ended) instanceof HostUnreachable)
    assert.ok(performance.now() - cutAt < LOST_WITHIN_MS)
    const answers = await Promise.all(['one', 'two', 'three'].map(word => host.run(exec('echo', word))))
    assert.deepEqual(
      answers.map(({ stdout }) => stdout),
      ['one\n', 'two\n', 'three\n'],
    )
    assert.equal(logins(), 2)
    assert.equal(await countSoon(marker, 10_000), 0)
  })

  void it('is noticed when the network falls silent, by both sides', LIMIT, async t => {
    const { host, proxy } = await makeFleet(t, { keepaliveMs: 300 })
    const marker = `marker-${randomUUID()}`
    const { ended } = await startLong(host, marker)
    await delay(1_500)
    assert.ok((await countProcesses({ host: new LocalHost() }, marker)) > 0, 'silence of the command is not a loss')
    const cutAt = performance.now()
    proxy.freeze()
    assert.ok((await ended) instanceof HostUnreachable)
    assert.ok(performance.now() - cutAt < LOST_WITHIN_MS, `${performance.now() - cutAt} ms`)
    assert.equal(await countSoon(marker, 10_000), 0)
    proxy.thaw()
    assert.equal((await host.run(exec('echo', 'again'))).stdout, 'again\n')
  })

  void it('comes back after sshd was killed and started', LIMIT, async t => {
    const { host, sshd } = await makeFleet(t)
    assert.equal((await host.run(exec('echo', 'one'))).stdout, 'one\n')
    await sshd.kill()
    await assert.rejects(host.run(exec('true')), HostUnreachable)
    await sshd.start()
    assert.equal((await host.run(exec('echo', 'two'))).stdout, 'two\n')
  })

  void it('leaves neither half a file nor its beginnings behind', LIMIT, async t => {
    const { host, proxy, sshd } = await makeFleet(t)
    const folder = `${sshd.folder}/uploads`
    await mkdir(folder)
    const source = new Readable({ read: () => {} })
    const uploading = host.upload(source, `${folder}/file`).catch((error: unknown) => error)
    source.push(Buffer.alloc(1024 * 1024))
    while ((await readdir(folder)).length === 0) await delay(20)
    await delay(100)
    proxy.reset()
    assert.ok((await uploading) instanceof HostUnreachable)
    for (let round = 0; round < 100 && (await readdir(folder)).length > 0; round += 1) await delay(50)
    assert.deepEqual(await readdir(folder), [])
  })

  void it('breaks a dialled stream with an error instead of an end', LIMIT, async t => {
    const { host, proxy, sshd } = await makeFleet(t)
    const server = createServer(socket => socket.on('error', () => {}).write('half'))
    server.listen(`${sshd.folder}/half.sock`)
    t.after(() => server.close())
    const stream = await host.dial({ socketPath: `${sshd.folder}/half.sock` })
    const reading = (async () => {
      const chunks: AsyncIterable<Buffer> = stream
      for await (const chunk of chunks) if (chunk.toString() === 'half') proxy.reset()
    })()
    await assert.rejects(reading, HostUnreachable)
  })
})

void describe('many at once', () => {
  for (const sessions of [10, 4]) {
    void it(`runs 20 commands where sshd allows ${sessions} sessions, through one login`, LIMIT, async t => {
      const { host, logins } = await makeFleet(t, { lines: [`MaxSessions ${sessions}`] })
      const numbers = Array.from({ length: 20 }, (_, number) => String(number))
      const results = await Promise.all(numbers.map(n => host.run(exec('sh', '-c', 'sleep 0.2; echo "$0"', n))))
      assert.deepEqual(
        results.map(({ stdout }) => stdout.trim()),
        numbers,
      )
      assert.equal(logins(), 1)
    })
  }

  void it('starts nothing for those who gave up while they waited', LIMIT, async t => {
    const { host, sshd } = await makeFleet(t)
    const holding = Array.from({ length: 8 }, () => host.run(exec('sleep', '1')))
    const late = [
      host.run(exec('touch', `${sshd.folder}/late`), { timeoutMs: 200 }),
      host.run(exec('touch', `${sshd.folder}/late`), { signal: AbortSignal.timeout(200) }),
    ]
    const ends = await Promise.allSettled(late)
    assert.deepEqual(
      ends.map(end => end.status === 'rejected' && end.reason.name),
      ['HostTimeout', 'TimeoutError'],
    )
    await Promise.all(holding)
    assert.equal((await host.run(exec('echo', 'next'))).stdout, 'next\n')
    assert.ok(!(await readdir(sshd.folder)).includes('late'))
  })
})

void describe('the login', () => {
  void it('may say what it likes in its startup files', LIMIT, async t => {
    const { host, sshd } = await makeFleet(t)
    const noise = 'echo welcome; echo careful >&2; umask 027; export LC_ALL=de_DE.UTF-8; cd /tmp\n'
    await writeFile(`${sshd.folder}/home/.bashrc`, noise)
    const { stdout, stderr } = await host.run(exec('sh', '-c', 'pwd; echo err >&2; echo "$LANG $LC_ALL"'))
    assert.deepEqual([stdout, stderr], ['/\nC.UTF-8 \n', 'err\n'])
  })

  void it('tells a user who may not become root what is missing', LIMIT, async t => {
    // Without PAM, sshd lets in no one whose account has no password.
    const { sshd } = await makeFleet(t, { lines: ['UsePAM yes'] })
    const host = new SshHost({ name: 'server 2', target: async () => sshd.target({ user: 'postgres' }) })
    t.after(() => host.close())
    await assert.rejects(host.run(exec('true')), (error: unknown) => {
      assert.ok(error instanceof HostRefusedLogin, String(error))
      assert.match(error.message, /passwordless sudo/)
      return true
    })
  })

  void it('is over after close, with all that ran through it', LIMIT, async t => {
    const { host } = await makeFleet(t)
    const marker = `marker-${randomUUID()}`
    const { ended } = await startLong(host, marker)
    await host.close()
    assert.ok((await ended) instanceof HostUnreachable)
    assert.equal(await countSoon(marker, 10_000), 0)
  })
})
