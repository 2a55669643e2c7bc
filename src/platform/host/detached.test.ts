import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { countProcesses } from '#test/support/conformance/count-processes.ts'
import { type Sshd, startSshd } from '#test/support/sshd.ts'
import { exec, pipe, withStdin } from './command.ts'
import { type DetachedOptions, forgetDetached, runDetached } from './detached.ts'
import { CommandFailed, DetachedLost, HostTimeout } from './errors.ts'
import type { Host } from './host.ts'
import { LocalHost } from './local-host.ts'
import { Secret } from './secret.ts'
import { SshHost } from './ssh/ssh-host.ts'

const LIMIT = { timeout: 300_000 }

interface Bench {
  readonly host: Host
  readonly folder: string
  readonly sshd: Sshd
}

/** Says a line, and a second one once the file `go` is there; counts how often it was started. */
const waitForGo = (folder: string, marker = 'waitForGo') =>
  exec(
    'sh',
    '-c',
    'echo x >> "$0/starts"; echo one; while [ ! -e "$0/go" ]; do sleep 0.05; done; echo two',
    folder,
    marker,
  )

const collector = () => {
  const lines: string[] = []
  const first = Promise.withResolvers<void>()
  const onOutput = (text: string) => {
    lines.push(...text.trimEnd().split('\n'))
    first.resolve()
  }
  return { lines, onOutput, first: first.promise }
}

const resultCases = (bench: () => Bench): void => {
  void it('gives output and exit code, and the same again to anyone who asks later', LIMIT, async () => {
    const { host, folder } = bench()
    const options = { folder, allowExitCodes: [3] }
    const command = exec('sh', '-c', 'echo x >> "$0/once"; echo out; echo err >&2; exit 3', folder)
    for (const attach of [1, 2]) {
      const { lines, onOutput } = collector()
      assert.equal(await runDetached(host, 'result', command, { ...options, onOutput }), 3)
      assert.deepEqual(lines, ['out', 'err'], `attach ${attach}`)
    }
    assert.equal(await readFile(`${folder}/once`, 'utf8'), 'x\n')
    await assert.rejects(runDetached(host, 'result', command, { folder }), (error: unknown) => {
      assert.ok(error instanceof CommandFailed)
      assert.deepEqual([error.exitCode, error.stderr], [3, 'out\nerr\n'])
      return true
    })
    await forgetDetached(host, 'result', { folder })
    await forgetDetached(host, 'result', { folder })
    assert.ok(!(await readdir(folder)).includes('result'))
  })

  void it('hands a secret to the work and keeps nothing of it', LIMIT, async () => {
    const { host, folder } = bench()
    const { lines, onOutput } = collector()
    const command = pipe(withStdin(exec('cat'), new Secret('hidden')), exec('wc', '-c'))
    await runDetached(host, 'secret', command, { folder, onOutput })
    assert.deepEqual(lines, ['6'])
    assert.deepEqual((await readdir(`${folder}/secret`)).toSorted(), ['exit', 'lock', 'output', 'process'])
  })

  void it('refuses an id that is not a plain name', async () => {
    const { host, folder } = bench()
    for (const id of ['', '..', 'a/b', '-rf']) {
      await assert.rejects(runDetached(host, id, exec('true'), { folder }), { code: 'invalid_word' })
      await assert.rejects(forgetDetached(host, id, { folder }), { code: 'invalid_word' })
    }
  })
}

const lifeCases = (bench: () => Bench): void => {
  void it('starts one process for ten who start it at once', LIMIT, async () => {
    const { host, folder } = bench()
    await writeFile(`${folder}/go`, '')
    await Promise.all(Array.from({ length: 10 }, () => runDetached(host, 'many', waitForGo(folder), { folder })))
    assert.equal(await readFile(`${folder}/starts`, 'utf8'), 'x\n')
  })

  void it('ends the whole work on abort and after its time', LIMIT, async () => {
    const { host, folder } = bench()
    const reason = new Error('cancelled')
    const interruptions: [Partial<DetachedOptions>, (error: unknown) => boolean][] = [
      [{ signal: AbortSignal.timeout(500) }, error => error instanceof DOMException],
      [{ signal: AbortSignal.abort(reason) }, error => error === reason],
      [{ timeoutMs: 500 }, error => error instanceof HostTimeout],
    ]
    for (const [index, [options, isExpected]] of interruptions.entries()) {
      const marker = `marker-${randomUUID()}`
      const family = exec('sh', '-c', `sh -c 'sleep 300; :' "$0" & sleep 300; :`, marker)
      await assert.rejects(runDetached(host, `ended-${index}`, family, { folder, ...options }), isExpected)
      assert.equal(await countProcesses({ host }, marker), 0)
    }
  })

  void it('tells when the work is gone without an end, as after a restart of the server', LIMIT, async () => {
    const { host, folder } = bench()
    const { onOutput, first } = collector()
    const running = runDetached(host, 'lost', exec('sh', '-c', 'echo one; sleep 300'), { folder, onOutput })
    await first
    const [pid = ''] = (await readFile(`${folder}/lost/process`, 'utf8')).split(' ')
    process.kill(-Number(pid), 'SIGKILL')
    await assert.rejects(running, DetachedLost)
    await assert.rejects(runDetached(host, 'lost', exec('true'), { folder }), { code: 'detached_lost' })
    // Another process that was given the number since is not taken for it.
    await writeFile(`${folder}/lost/process`, `${process.pid} 1.another-boot\n`)
    await assert.rejects(runDetached(host, 'lost', exec('true'), { folder }), { code: 'detached_lost' })
    await forgetDetached(host, 'lost', { folder })
  })
}

const withBench = (name: string, makeHost: (sshd: Sshd) => Host, cases: (bench: () => Bench) => void): void => {
  void describe(name, () => {
    let made: Bench | undefined
    before(async () => {
      const sshd = await startSshd()
      made = { sshd, host: makeHost(sshd), folder: await mkdtemp(join(tmpdir(), 'fleetpress-detached-')) }
    })
    after(async () => {
      if (made?.host instanceof SshHost) await made.host.close()
      await made?.sshd.stop()
      if (made) await rm(made.folder, { recursive: true })
    })
    cases(() => {
      if (made === undefined) throw new Error('the host was not made')
      return made
    })
  })
}

const sshHost = (sshd: Sshd) => new SshHost({ name: 'server 2', target: async () => sshd.target() })

for (const cases of [resultCases, lifeCases]) {
  withBench(`detached work on LocalHost, ${cases.name}`, () => new LocalHost(), cases)
  withBench(`detached work on SshHost, ${cases.name}`, sshHost, cases)
}

withBench('detached work through a cut connection', sshHost, bench => {
  void it('continues while sshd is dead, is followed again, and each line comes once', LIMIT, async () => {
    const { host, folder, sshd } = bench()
    const { lines, onOutput, first } = collector()
    const running = runDetached(host, 'cut', waitForGo(folder), { folder, onOutput })
    await first
    await sshd.kill()
    await delay(500)
    await writeFile(`${folder}/go`, '')
    await sshd.start()
    assert.equal(await running, 0)
    assert.deepEqual(lines, ['one', 'two'])
    assert.equal(await readFile(`${folder}/starts`, 'utf8'), 'x\n')
  })

  void it('gives up on a host that stays away, and the work continues', LIMIT, async () => {
    const { host, folder, sshd } = bench()
    const marker = `marker-${randomUUID()}`
    const { onOutput, first } = collector()
    await rm(`${folder}/go`, { force: true })
    const options = { folder, onOutput, unreachableLimitMs: 500 }
    const running = runDetached(host, 'away', waitForGo(folder, marker), options)
    const failed = assert.rejects(running, { code: 'host_unreachable' })
    await first
    await sshd.kill()
    await failed
    assert.ok((await countProcesses({ host: new LocalHost() }, marker)) > 0)
    await sshd.start()
    await forgetDetached(host, 'away', { folder })
    assert.equal(await countProcesses({ host }, marker), 0)
  })
})
