import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { ensureFiles } from './ensure-files.ts'
import { FileFailed, FileNotFound } from './errors.ts'
import type { Host } from './host.ts'
import { LocalHost } from './local-host.ts'

describe('files of a folder', { timeout: 60_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'fleetpress-files-'))
  const host = new LocalHost()
  const folder = join(root, 'files')
  const at = (name: string) => join(folder, name)
  const inodeOf = (name: string) => statSync(at(name)).ino
  const texts = () => Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(at(name), 'utf8')]))
  after(() => rmSync(root, { recursive: true, force: true }))

  it('are made what they should be, and the same ones are left alone', async () => {
    await ensureFiles(host, folder, { texts: { same: 'a\n', 'odd name': 'b', empty: '' } })
    assert.deepEqual(texts(), { same: 'a\n', 'odd name': 'b', empty: '' })
    assert.equal(statSync(at('same')).mode & 0o777, 0o644)
    const before = { same: inodeOf('same'), odd: inodeOf('odd name') }
    await ensureFiles(host, folder, { texts: { same: 'a\n', 'odd name': 'c' }, absent: ['empty', 'never there'] })
    assert.deepEqual(texts(), { same: 'a\n', 'odd name': 'c' })
    assert.equal(inodeOf('same'), before.same)
    assert.notEqual(inodeOf('odd name'), before.odd)
  })

  it('stay the same file where they are written in place', async () => {
    const before = inodeOf('same')
    await ensureFiles(host, folder, { texts: { same: 'longer than before\n', another: 'x' }, inPlace: true })
    assert.equal(inodeOf('same'), before)
    assert.deepEqual(texts(), { same: 'longer than before\n', 'odd name': 'c', another: 'x' })
  })

  it('are as before when the connection is cut', async () => {
    const before = texts()
    const cutting: Pick<Host, 'run'> = {
      run: async (command, options) => {
        const whole = await buffer(options?.stdin as Readable)
        return host.run(command, { ...options, stdin: whole.subarray(0, 1024) })
      },
    }
    await assert.rejects(ensureFiles(cutting, folder, { texts: { another: 'y'.repeat(200), same: 'z' } }), FileFailed)
    assert.deepEqual(texts(), before)
  })

  it('cannot be had where no folder is, or into a file', async () => {
    await assert.rejects(ensureFiles(host, join(root, 'not/there'), { texts: { a: '' } }), FileNotFound)
    writeFileSync(join(root, 'file'), '')
    await assert.rejects(ensureFiles(host, join(root, 'file'), { texts: { a: '' } }), FileFailed)
  })
})
