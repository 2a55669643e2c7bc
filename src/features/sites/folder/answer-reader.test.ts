import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { AnswerReader } from './answer-reader.ts'

const line = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`)

describe('the answer of site-files', () => {
  it('is found in pieces of any size, with progress before and bytes behind it', async () => {
    const said = Buffer.concat([
      line({ progress: { done: 1, total: 2 } }),
      line({ ok: { name: 'ü\n' } }),
      Buffer.from([0, 10, 255]),
    ])
    for (const size of [1, 3, said.length]) {
      const bytes = new PassThrough()
      const seen: number[][] = []
      const reader = new AnswerReader((...figures) => seen.push(figures), bytes)
      for (let at = 0; at < said.length; at += size) await reader.take(said.subarray(at, at + size))
      bytes.end()
      await reader.isAnswered
      assert.deepEqual(reader.answer(), { name: 'ü\n' })
      assert.deepEqual(seen, [[1, 2]])
      assert.deepEqual([...(await buffer(bytes))], [0, 10, 255])
    }
  })

  it('is a refusal in words of the panel, whatever the site says', async () => {
    const reader = new AnswerReader()
    await reader.take(line({ error: { code: 'not_found', path: 'a\u202eb\u001b]52;c;x\u0007' } }))
    assert.throws(() => reader.answer(), { code: 'not_found', message: 'There is no a�b�]52;c;x� in this site.' })
    const long = new AnswerReader()
    await long.take(
      line({ error: { code: 'unsafe_archive', path: 'd/'.repeat(10_000), message: 'its path is too long' } }),
    )
    assert.throws(() => long.answer(), /^Problem: The archive isn't safe: …(?:\/d)+\/: its path is too long\./)
    const unknown = new AnswerReader()
    await unknown.take(line({ error: { code: 'whatever', message: 'a secret' } }))
    assert.throws(() => unknown.answer(), { code: 'bad_gateway', message: 'The site could not do that.' })
  })

  it('that is none is refused', async () => {
    for (const said of ['nonsense\n', '{}\n', '{"error":{"code":7}}\n', '[]\n']) {
      const reader = new AnswerReader()
      await assert.rejects(reader.take(Buffer.from(said)), { code: 'bad_gateway' }, said)
      assert.ok(reader.failure)
    }
    assert.throws(() => new AnswerReader().answer(), { code: 'bad_gateway' })
    const endless = new AnswerReader()
    const tooMuch = async () => {
      for (let megabytes = 0; megabytes < 40; megabytes += 1) await endless.take(Buffer.alloc(1024 ** 2, 'x'))
    }
    await assert.rejects(tooMuch, { code: 'bad_gateway' })
  })
})
