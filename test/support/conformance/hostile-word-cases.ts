import assert from 'node:assert/strict'
import { it } from 'node:test'
import { exec, into, render, withEnv } from '#platform/host/command.ts'
import { PAYLOADS } from './payloads.ts'
import type { Subject } from './subject.ts'

export const hostileWordCases = (subject: Subject): void => {
  wordCases(subject)
  refusalCases(subject)
  nameCases(subject)
}

const wordCases = (subject: Subject): void => {
  void it('echoes every payload back exactly, each in its own run', async () => {
    const { host, folder } = subject()
    for (const payload of PAYLOADS) {
      assert.equal((await host.run(exec('printf', '%s', payload), { cwd: folder })).stdout, payload)
    }
    await assertNoCanary(subject)
  })

  void it('echoes them back as another user, in another folder, two shells further in', async () => {
    const { host, folder, otherUser } = subject()
    const inner = render(exec('printf', '%s\\0', ...PAYLOADS.filter(({ length }) => length < 1000)))
    const { stdout } = await host.run(exec('sh', '-c', inner), { cwd: folder, user: otherUser })
    assert.equal(
      stdout,
      PAYLOADS.filter(({ length }) => length < 1000)
        .map(payload => `${payload}\0`)
        .join(''),
    )
    await assertNoCanary(subject)
  })

  void it('carries every payload in a variable', async () => {
    const { host, folder } = subject()
    for (const payload of PAYLOADS) {
      const command = withEnv(exec('sh', '-c', 'printf %s "$WORD"'), { WORD: payload })
      assert.equal((await host.run(command, { cwd: folder })).stdout, payload)
    }
    await assertNoCanary(subject)
  })
}

const refusalCases = (subject: Subject): void => {
  void it('refuses NUL and half characters before anything runs', async () => {
    for (const word of ['a\0b', '\ud800']) {
      await assert.rejects(subject().host.run(exec('printf', '%s', word)), { code: 'invalid_word' })
    }
  })

  void it('runs a program, never what the shell has of the same name', async () => {
    const { host, folder } = subject()
    const subscript = exec('test', '-v', 'a[$(touch CANARY)]')
    await assert.rejects(host.run(subscript, { cwd: folder }), { code: 'command_failed' })
    await assert.rejects(host.run(exec('eval', 'touch CANARY'), { cwd: folder }), { exitCode: 127 })
    await assertNoCanary(subject)
  })
}

const nameCases = (subject: Subject): void => {
  void it('takes words that look like options for names after --', async () => {
    const { host, folder } = subject()
    for (const name of ['-rf', '--help', '-oProxyCommand=touch CANARY', '-', '--']) {
      await host.run(into(name, exec('printf', '%s', name)), { cwd: folder })
      const { stdout } = await host.run(exec('head', '-c', '100', '--', `./${name}`), { cwd: folder })
      assert.equal(stdout, name)
      await host.run(exec('rm', '--', name), { cwd: folder })
      await assert.rejects(host.stat(`${folder}/${name}`), { code: 'file_not_found' })
    }
    await assertNoCanary(subject)
  })

  void it('uses every payload that can be a name as the name of a file', async () => {
    const { host, folder } = subject()
    const names = PAYLOADS.filter(name => name !== '' && !name.includes('/') && Buffer.byteLength(name) < 256)
    for (const [index, name] of names.entries()) {
      await host.run(into(`${folder}/n-${name.slice(-250)}`, exec('echo', String(index))))
      assert.equal((await host.readFile(`${folder}/n-${name.slice(-250)}`)).toString(), `${index}\n`)
      await host.removeFile(`${folder}/n-${name.slice(-250)}`)
    }
    await assertNoCanary(subject)
  })
}

const assertNoCanary = async (subject: Subject): Promise<void> => {
  const { host, folder } = subject()
  await assert.rejects(host.stat(`${folder}/CANARY`), { code: 'file_not_found' })
}
