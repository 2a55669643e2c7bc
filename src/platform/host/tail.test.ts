import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Tail } from './tail.ts'

void describe('Tail', () => {
  void it('keeps the last bytes, however they come', () => {
    const text = Array.from({ length: 5_000 }, (_, number) => `${number}\n`).join('')
    for (const size of [1, 7, 4096, 10_000, text.length]) {
      const tail = new Tail(4096)
      for (let at = 0; at < text.length; at += size) tail.add(Buffer.from(text.slice(at, at + size)))
      assert.equal(tail.text(), text.slice(-4096))
    }
  })

  void it('begins with a whole character', () => {
    const tail = new Tail(8)
    tail.add(Buffer.from('漢'.repeat(10)))
    assert.equal(tail.text(), '漢漢')
  })

  void it('is empty when nothing came', () => assert.equal(new Tail(8).text(), ''))
})
