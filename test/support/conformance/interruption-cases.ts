import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { exec, pipe } from '#platform/host/command.ts'
import { HostTimeout } from '#platform/host/errors.ts'
import { countProcesses } from './count-processes.ts'
import type { Subject } from './subject.ts'

export const interruptionCases = (subject: Subject): void => {
  timeoutCases(subject)
  abortCases(subject)
}

const timeoutCases = (subject: Subject): void => {
  void it('ends the whole group, grandchildren included, when the time is over', async () => {
    const marker = `marker-${randomUUID()}`
    const family = exec('sh', '-c', `sh -c 'sleep 300; :' "$0" > /dev/null & sh -c 'sleep 300; :' "$0"; :`, marker)
    const startedAt = performance.now()
    await assert.rejects(subject().host.run(pipe(family, exec('cat')), { timeoutMs: 300 }), HostTimeout)
    assert.ok(performance.now() - startedAt < 2_000, 'those who obey are not waited for')
    assert.equal(await countProcesses(subject(), marker), 0)
  })

  void it('kills what ignores the request to end', async () => {
    const marker = `marker-${randomUUID()}`
    const deaf = `trap '' TERM; sleep 300; :`
    const stubborn = exec('bash', '-c', `bash -c "$1" "$0" > /dev/null 2>&1 & ${deaf}`, marker, deaf)
    await assert.rejects(subject().host.run(stubborn, { timeoutMs: 300 }), { code: 'host_timeout', timeoutMs: 300 })
    assert.equal(await countProcesses(subject(), marker), 0)
  })

  void it('ends a command of another user too', async () => {
    const { host, otherUser } = subject()
    const marker = `marker-${randomUUID()}`
    const running = host.run(exec('sh', '-c', 'sleep 300; :', marker), { user: otherUser, timeoutMs: 500 })
    await assert.rejects(running, HostTimeout)
    assert.equal(await countProcesses(subject(), marker), 0)
  })

  void it('times out while a callback hangs', async () => {
    const hanging = subject().host.stream(exec('echo', 'one'), {
      onStdout: () => new Promise(() => {}),
      timeoutMs: 300,
    })
    await assert.rejects(hanging, HostTimeout)
  })

  void it('leaves a command alone that ends in time', async () => {
    assert.equal((await subject().host.run(exec('echo', 'done'), { timeoutMs: 10_000 })).stdout, 'done\n')
  })
}

const abortCases = (subject: Subject): void => {
  void it('ends the group on abort and throws its reason', async () => {
    const marker = `marker-${randomUUID()}`
    const abort = new AbortController()
    const reason = new Error('cancelled by the owner')
    const command = exec('sh', '-c', 'echo ready; sleep 300; :', marker)
    const running = subject().host.stream(command, { signal: abort.signal, onStdout: () => abort.abort(reason) })
    await assert.rejects(running, error => error === reason)
    assert.equal(await countProcesses(subject(), marker), 0)
  })

  void it('starts nothing when already aborted', async () => {
    const { host, folder } = subject()
    const reason = new Error('too late')
    const running = host.run(exec('touch', `${folder}/started`), { signal: AbortSignal.abort(reason) })
    await assert.rejects(running, error => error === reason)
    await assert.rejects(host.stat(`${folder}/started`), { code: 'file_not_found' })
  })
}
