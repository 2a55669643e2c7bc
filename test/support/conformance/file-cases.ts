import assert from 'node:assert/strict'
import { it } from 'node:test'
import { exec } from '#platform/host/command.ts'
import { OutputTooLarge } from '#platform/host/errors.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Subject } from './subject.ts'

const MIB = 1024 * 1024

export const fileCases = (subject: Subject): void => {
  readCases(subject)
  writeCases(subject)
  replaceCases(subject)
  folderCases(subject)
}

const readCases = (subject: Subject): void => {
  void it('reads back the bytes it wrote', async () => {
    const { host, folder } = subject()
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    await host.writeFile(`${folder}/bytes`, bytes)
    assert.deepEqual(await host.readFile(`${folder}/bytes`), bytes)
  })

  void it('reads files that claim to be empty', async () => {
    assert.match((await subject().host.readFile('/proc/self/status')).toString(), /^Name:/)
  })

  void it('names what is wrong with a path', async () => {
    const { host, folder } = subject()
    await assert.rejects(host.readFile(`${folder}/absent`), { code: 'file_not_found', path: `${folder}/absent` })
    await assert.rejects(host.download(`${folder}/absent`), { code: 'file_not_found' })
    await assert.rejects(host.readFile(folder), { code: 'file_failed' })
    await assert.rejects(host.readFile('relative'), { code: 'invalid_word' })
    await assert.rejects(host.writeFile(`${folder}/nul\0`, ''), { code: 'invalid_word' })
    await assert.rejects(host.writeFile(`${folder}/absent/file`, ''), { code: 'file_not_found' })
  })

  void it('refuses more than was asked for', async () => {
    const { host, folder } = subject()
    await host.writeFile(`${folder}/ten`, '0123456789')
    await assert.rejects(host.readFile(`${folder}/ten`, { maxBytes: 9 }), OutputTooLarge)
    assert.equal((await host.readFile(`${folder}/ten`, { maxBytes: 10 })).length, 10)
  })

  void it('does not wait for a pipe that stands in place of a file', async () => {
    const { host, folder } = subject()
    await host.run(exec('mkfifo', `${folder}/fifo`))
    await assert.rejects(host.readFile(`${folder}/fifo`), { code: 'file_failed' })
    await assert.rejects(host.download(`${folder}/fifo`), { code: 'file_failed' })
  })
}

const writeCases = (subject: Subject): void => {
  void it('writes with mode 0600 unless another is asked for', async () => {
    const { host, folder } = subject()
    await host.writeFile(`${folder}/private`, new Secret('hidden'))
    assert.equal((await host.stat(`${folder}/private`)).mode, 0o600)
    assert.equal((await host.readFile(`${folder}/private`)).toString(), 'hidden')
    for (const mode of [0o666, 0o640, 0o444, 0o755]) {
      await host.writeFile(`${folder}/moded`, 'x', { mode })
      assert.equal((await host.stat(`${folder}/moded`)).mode, mode)
    }
  })

  void it('gives the file to its owner', async () => {
    const { host, folder, otherUser } = subject()
    const [uid = 0, gid = 0] = (await host.run(exec('sh', '-c', 'id -u "$0"; id -g "$0"', otherUser))).stdout
      .split('\n')
      .map(Number)
    await host.writeFile(`${folder}/theirs`, 'x', { mode: 0o640, owner: { uid, gid } })
    const { kind, sizeBytes, mode, ...owner } = await host.stat(`${folder}/theirs`)
    assert.deepEqual(
      { kind, sizeBytes, mode, uid: owner.uid, gid: owner.gid },
      { kind: 'file', sizeBytes: 1, mode: 0o640, uid, gid },
    )
    assert.ok(Math.abs(owner.modifiedAtMs - Date.now()) < 60_000)
  })

  void it('removes a file, and does not mind when there is none', async () => {
    const { host, folder } = subject()
    await host.writeFile(`${folder}/gone`, 'x')
    await host.removeFile(`${folder}/gone`)
    await host.removeFile(`${folder}/gone`)
    await host.removeFile(`${folder}/absent/gone`)
    await assert.rejects(host.stat(`${folder}/gone`), { code: 'file_not_found' })
    await assert.rejects(host.removeFile(folder), { code: 'file_failed' })
  })
}

const replaceCases = (subject: Subject): void => {
  void it('never shows a reader half a file', async () => {
    const { host, folder } = subject()
    const path = `${folder}/replaced`
    const versions = ['a', 'b'].map(letter => letter.repeat(MIB))
    await host.writeFile(path, 'a'.repeat(MIB))
    const written = new AbortController()
    let reads = 0
    const reading = (async () => {
      for (; !written.signal.aborted; reads += 1)
        assert.ok(versions.includes((await host.readFile(path)).toString('latin1')))
    })()
    for (let round = 0; round < 30; round += 1) await host.writeFile(path, versions[round % 2] ?? '')
    written.abort()
    await reading
    assert.ok(reads > 5, `${reads} reads`)
  })

  void it('replaces a link instead of writing through it', async () => {
    const { host, folder } = subject()
    await host.writeFile(`${folder}/precious`, 'precious')
    await host.run(exec('ln', '-s', `${folder}/precious`, `${folder}/link`))
    assert.equal((await host.stat(`${folder}/link`)).kind, 'link')
    await host.writeFile(`${folder}/link`, 'new')
    assert.equal((await host.readFile(`${folder}/precious`)).toString(), 'precious')
    assert.equal((await host.stat(`${folder}/link`)).kind, 'file')
  })

  void it('leaves nothing behind when it cannot replace', async () => {
    const { host, folder } = subject()
    await host.makeDir(`${folder}/taken/place`)
    await assert.rejects(host.writeFile(`${folder}/taken/place`, 'x'), { code: 'file_failed' })
    assert.deepEqual(await host.listDir(`${folder}/taken`), [{ name: 'place', kind: 'directory' }])
  })
}

const folderCases = (subject: Subject): void => {
  void it('makes a folder with its parents, again without harm', async () => {
    const { host, folder } = subject()
    await host.makeDir(`${folder}/one/two/three`, { mode: 0o750 })
    await host.makeDir(`${folder}/one/two/three`, { mode: 0o700 })
    const { kind, mode } = await host.stat(`${folder}/one/two/three`)
    assert.deepEqual({ kind, mode }, { kind: 'directory', mode: 0o700 })
  })

  void it('does not change a folder behind a link', async () => {
    const { host, folder } = subject()
    await host.makeDir(`${folder}/target`, { mode: 0o755 })
    await host.run(exec('ln', '-s', `${folder}/target`, `${folder}/folder-link`))
    await assert.rejects(host.makeDir(`${folder}/folder-link`, { mode: 0o777 }), { code: 'file_failed' })
    assert.equal((await host.stat(`${folder}/target`)).mode, 0o755)
  })

  void it('lists a folder by name', async () => {
    const { host, folder } = subject()
    await host.makeDir(`${folder}/listed/b`)
    for (const name of ['c', '-a', 'ä\n']) await host.writeFile(`${folder}/listed/${name}`, '')
    const entries = (await host.listDir(`${folder}/listed`)).map(({ name, kind }) => `${name} ${kind}`)
    assert.deepEqual(entries, ['-a file', 'b directory', 'c file', 'ä\n file'])
    await assert.rejects(host.listDir(`${folder}/absent`), { code: 'file_not_found' })
  })
}
