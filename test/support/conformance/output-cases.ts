import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { exec, into, pipe, withEnv } from '#platform/host/command.ts'
import { CommandFailed, OutputTooLarge } from '#platform/host/errors.ts'
import type { Subject } from './subject.ts'

const MIB = 1024 * 1024

/** What is really held: chunks that no one needs any more are counted until the collector has come by. */
const heldBytes = async (): Promise<number> => {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  return process.memoryUsage().arrayBuffers
}

export const outputCases = (subject: Subject): void => {
  resultCases(subject)
  failureCases(subject)
  placeCases(subject)
  pipeCases(subject)
  largeOutputCases(subject)
}

const resultCases = (subject: Subject): void => {
  void it('keeps stdout and stderr apart', async () => {
    const { stdout, stderr, exitCode } = await subject().host.run(exec('sh', '-c', 'echo out; echo err >&2'))
    assert.deepEqual({ stdout, stderr, exitCode }, { stdout: 'out\n', stderr: 'err\n', exitCode: 0 })
  })

  void it('keeps each of 40 runs at once to itself', async () => {
    const numbers = Array.from({ length: 40 }, (_, number) => String(number))
    const results = await Promise.all(numbers.map(n => subject().host.run(exec('sh', '-c', 'sleep 0.1; echo "$0"', n))))
    assert.deepEqual(
      results.map(({ stdout }) => stdout),
      numbers.map(n => `${n}\n`),
    )
  })

  void it('hands on bytes that are not text', async () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))
    const received: Buffer[] = []
    await subject().host.stream(exec('cat'), { stdin: bytes, onStdout: chunk => void received.push(chunk) })
    assert.deepEqual(Buffer.concat(received), bytes)
  })

  void it('gives a command its variables', async () => {
    const command = withEnv(exec('sh', '-c', 'echo "$GREETING"'), { GREETING: `it's "$HOME" \\ two\nlines` })
    assert.equal((await subject().host.run(command)).stdout, `it's "$HOME" \\ two\nlines\n`)
  })
}

const failureCases = (subject: Subject): void => {
  void it('throws CommandFailed with exit code and stderr', async () => {
    const failing = subject().host.run(exec('sh', '-c', 'echo why >&2; exit 7'))
    await assert.rejects(failing, error => {
      assert.ok(error instanceof CommandFailed)
      assert.deepEqual(
        { code: error.code, exitCode: error.exitCode, signal: error.signal, stderr: error.stderr },
        { code: 'command_failed', exitCode: 7, signal: null, stderr: 'why\n' },
      )
      return true
    })
  })

  void it('keeps the last 4 KiB of stderr', async () => {
    const failing = subject().host.run(exec('sh', '-c', 'seq 1 5000 >&2; echo last >&2; exit 1'))
    await assert.rejects(failing, error => {
      assert.ok(error instanceof CommandFailed)
      assert.equal(error.stderr.length, 4096)
      assert.ok(error.stderr.endsWith('5000\nlast\n'))
      return true
    })
  })

  void it('returns an exit code that is allowed', async () => {
    const { exitCode } = await subject().host.run(exec('sh', '-c', 'exit 3'), { allowExitCodes: [3] })
    assert.equal(exitCode, 3)
  })

  void it('throws when the program does not exist', async () => {
    await assert.rejects(subject().host.run(exec('no-such-program')), { code: 'command_failed', exitCode: 127 })
  })

  void it('reports a command ended by a signal as a shell would', async () => {
    await assert.rejects(subject().host.run(exec('sh', '-c', 'kill -KILL $$')), { exitCode: 137 })
  })
}

const placeCases = (subject: Subject): void => {
  void it('runs in the folder given, the file of into included', async () => {
    const { host, folder } = subject()
    await host.makeDir(`${folder}/it's here`)
    await host.run(into('where', exec('pwd')), { cwd: `${folder}/it's here` })
    assert.equal((await host.readFile(`${folder}/it's here/where`)).toString(), `${folder}/it's here\n`)
  })

  void it('fails when the folder does not exist', async () => {
    await assert.rejects(subject().host.run(exec('pwd'), { cwd: '/no/such/folder' }), { code: 'command_failed' })
  })

  void it('runs as the user given, every stage and the file of into included', async () => {
    const { host, folder, otherUser } = subject()
    const whoami = exec('id', '-un')
    const { stdout } = await host.run(pipe(whoami, exec('sh', '-c', 'cat; id -un')), { user: otherUser, cwd: folder })
    assert.equal(stdout, `${otherUser}\n${otherUser}\n`)
    await assert.rejects(host.run(into('refused', whoami), { user: otherUser, cwd: folder }), {
      code: 'command_failed',
    })
  })
}

const pipeCases = (subject: Subject): void => {
  void it('sees the failure of the first stage', async () => {
    await assert.rejects(subject().host.run(pipe(exec('sh', '-c', 'echo some; exit 4'), exec('cat'))), { exitCode: 4 })
  })

  void it('sees the failure of a stage of a nested pipe', async () => {
    const nested = pipe(pipe(exec('sh', '-c', 'exit 5'), exec('cat')), exec('cat'))
    await assert.rejects(subject().host.run(nested), { exitCode: 5 })
  })

  void it('writes a pipe into a file that no one else may read', async () => {
    const { host, folder } = subject()
    const file = `${folder}/-into "$(id)"`
    await host.run(into(file, pipe(exec('printf', 'b\\na\\n'), exec('sort'))))
    assert.equal((await host.readFile(file)).toString(), 'a\nb\n')
    assert.equal((await host.stat(file)).mode, 0o600)
  })

  void it('lets a pipe continue after what is written into a file', async () => {
    const { host, folder } = subject()
    const { stdout } = await host.run(pipe(into(`${folder}/aside`, exec('echo', 'aside')), exec('wc', '-c')))
    assert.equal(stdout.trim(), '0')
  })
}

const largeOutputCases = (subject: Subject): void => {
  void it('refuses more output than was asked for', async () => {
    const endless = subject().host.run(exec('yes'), { maxOutputBytes: MIB })
    await assert.rejects(endless, OutputTooLarge)
  })

  void it('streams 64 MiB in flat memory, waiting for the reader', async () => {
    const { host, folder } = subject()
    const progress = `${folder}/progress`
    const producer = 'for mib in $(seq 64); do head -c 1048576 /dev/zero; echo "$mib" > "$0"; done'
    const heldBefore = await heldBytes()
    let sizeBytes = 0
    const onStdout = async (chunk: Buffer) => {
      const isStop = sizeBytes % (16 * MIB) < chunk.length
      sizeBytes += chunk.length
      if (!isStop || sizeBytes < MIB) return
      // Without backpressure the rest would arrive during this wait.
      await delay(200)
      const producedBytes = Number((await host.readFile(progress)).toString()) * MIB
      assert.ok(producedBytes - sizeBytes < 8 * MIB, `${(producedBytes - sizeBytes) / MIB} MiB ahead of the reader`)
      const held = (await heldBytes()) - heldBefore
      assert.ok(held < 16 * MIB, `${held / MIB} MiB are held`)
    }
    await host.stream(exec('sh', '-c', producer, progress), { onStdout })
    assert.equal(sizeBytes, 64 * MIB)
  })

  void it('ends the command when a callback throws', async () => {
    const failing = subject().host.stream(exec('yes'), { onStdout: () => Promise.reject(new Error('enough')) })
    await assert.rejects(failing, { message: 'enough' })
  })
}
