import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { exec } from '#platform/host/command.ts'
import type { Subject } from './subject.ts'

const MIB = 1024 * 1024

export const transferCases = (subject: Subject): void => {
  void it('uploads and downloads 32 MiB unchanged', async () => {
    const { host, folder } = subject()
    const sent = Buffer.concat(Array.from({ length: 32 }, () => randomBytes(MIB)))
    const sha256 = createHash('sha256').update(sent).digest('hex')
    const source = Readable.from(
      Array.from({ length: 512 }, (_, at) => sent.subarray(at * (MIB / 16), (at + 1) * (MIB / 16))),
    )
    await host.upload(source, `${folder}/large`, { mode: 0o640 })
    assert.equal((await host.stat(`${folder}/large`)).mode, 0o640)
    assert.equal((await host.run(exec('sha256sum', '--', `${folder}/large`))).stdout.slice(0, 64), sha256)
    const received = createHash('sha256')
    const chunks: AsyncIterable<Buffer> = await host.download(`${folder}/large`)
    for await (const chunk of chunks) received.update(chunk)
    assert.equal(received.digest('hex'), sha256)
  })

  void it('has the mode set and the old file in place while bytes still arrive', async () => {
    const { host, folder } = subject()
    const path = `${folder}/slow/file`
    await host.makeDir(`${folder}/slow`)
    await host.writeFile(path, 'old')
    const source = new Readable({ read: () => {} })
    const uploading = host.upload(source, path)
    source.push('new')
    await delay(200)
    assert.equal((await host.readFile(path)).toString(), 'old')
    for (const { name } of await host.listDir(`${folder}/slow`)) {
      assert.equal((await host.stat(`${folder}/slow/${name}`)).mode, 0o600)
    }
    source.push(null)
    await uploading
    assert.equal((await host.readFile(path)).toString(), 'new')
  })

  failedUploadCases(subject)
}

const failedUploadCases = (subject: Subject): void => {
  void it('leaves nothing behind when the source fails', async () => {
    const { host, folder } = subject()
    await host.makeDir(`${folder}/broken`)
    const source = new Readable({ read: () => {} })
    const uploading = host.upload(source, `${folder}/broken/file`)
    source.push('half')
    setTimeout(() => source.destroy(new Error('source broke')), 50)
    await assert.rejects(uploading, { message: 'source broke' })
    assert.deepEqual(await host.listDir(`${folder}/broken`), [])
  })

  void it('takes no half for the whole when the source is cut', async () => {
    const { host, folder } = subject()
    await host.makeDir(`${folder}/cut`)
    const source = new Readable({ read: () => {} })
    source.push('half')
    setTimeout(() => source.destroy(), 50)
    await assert.rejects(host.upload(source, `${folder}/cut/file`))
    assert.deepEqual(await host.listDir(`${folder}/cut`), [])
  })

  void it('stops on abort with its reason, even while the source is silent', async () => {
    const { host, folder } = subject()
    await host.makeDir(`${folder}/aborted`)
    const reason = new Error('cancelled')
    const abort = new AbortController()
    setTimeout(() => abort.abort(reason), 50)
    const uploading = host.upload(new Readable({ read: () => {} }), `${folder}/aborted/file`, { signal: abort.signal })
    await assert.rejects(uploading, error => error === reason)
    assert.deepEqual(await host.listDir(`${folder}/aborted`), [])
  })
}
