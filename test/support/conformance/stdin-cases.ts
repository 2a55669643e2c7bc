import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { exec, into, pipe, withStdin } from '#platform/host/command.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Subject } from './subject.ts'

const MIB = 1024 * 1024

export const stdinCases = (subject: Subject): void => {
  sourceCases(subject)
  edgeCases(subject)
  secretCases(subject)
}

const sourceCases = (subject: Subject): void => {
  const sources = { string: 'grüße\0', buffer: Buffer.from('grüße\0'), secret: new Secret('grüße\0') }
  for (const [kind, stdin] of Object.entries(sources)) {
    void it(`sends a ${kind} on stdin`, async () => {
      assert.equal((await subject().host.run(exec('cat'), { stdin })).stdout, 'grüße\0')
    })
  }

  void it('sends a stream on stdin', async () => {
    const stdin = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(MIB / 8)))
    assert.equal((await subject().host.run(exec('wc', '-c'), { stdin })).stdout.trim(), String(8 * MIB))
  })

  void it('sends what the command itself brings, through pipe and into', async () => {
    const { host, folder } = subject()
    await host.run(into(`${folder}/sorted`, pipe(withStdin(exec('cat'), 'b\na\n'), exec('sort'))))
    assert.equal((await host.readFile(`${folder}/sorted`)).toString(), 'a\nb\n')
  })
}

const edgeCases = (subject: Subject): void => {
  void it('ends stdin when there is none', async () => {
    assert.equal((await subject().host.run(exec('cat'))).stdout, '')
  })

  void it('does not mind a command that leaves its input unread', async () => {
    const { host } = subject()
    await host.run(exec('true'), { stdin: Buffer.alloc(4 * MIB) })
    const silent = new Readable({ read: () => {} })
    await host.run(exec('true'), { stdin: silent })
    assert.ok(silent.destroyed)
    const large = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(MIB / 8)))
    const { stdout } = await host.run(exec('sh', '-c', 'exec 0<&-; sleep 0.2; echo done'), { stdin: large })
    assert.equal(stdout, 'done\n')
  })

  void it('fails with the error of a stream that fails, and the command never sees an end of its input', async () => {
    const { host, folder } = subject()
    const broken = Readable.from(
      (async function* () {
        yield 'half'
        await Promise.reject(new Error('source broke'))
      })(),
    )
    const command = exec('sh', '-c', 'cat > /dev/null; touch "$0"', `${folder}/believed`)
    await assert.rejects(host.run(command, { stdin: broken }), { message: 'source broke' })
    await assert.rejects(host.stat(`${folder}/believed`), { code: 'file_not_found' })
  })

  void it('refuses stdin that is given twice', async () => {
    const twice = subject().host.run(withStdin(exec('cat'), 'one'), { stdin: 'two' })
    await assert.rejects(twice, { code: 'invalid_command' })
  })
}

const secretCases = (subject: Subject): void => {
  void it('shows a secret to no other process', async () => {
    const { host } = subject()
    const secret = `secret-${randomUUID()}`
    const shown = `shown-${randomUUID()}`
    const started = Promise.withResolvers<void>()
    const reader = exec('sh', '-c', 'read -r line; echo ready; sleep 1; test "${#line}" = 43', shown)
    const running = host.stream(withStdin(reader, new Secret(`${secret}\n`)), { onStdout: () => started.resolve() })
    await started.promise
    const seen = await host.run(exec('sh', '-c', 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2> /dev/null || :'))
    assert.ok(seen.stdout.includes(shown), 'the words of the running command are visible')
    assert.ok(!seen.stdout.includes(secret), 'its secret is not')
    await running
  })
}
