import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readText, writeText } from '#features/files/web/file-text.ts'
import { fileAddress, folderAddress, joined, nameOf, parentOf, stepsTo } from '#features/files/web/paths.ts'

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text)).buffer

void describe('the text of a file in the editor', () => {
  void it('is saved as it was read', async () => {
    for (const raw of ['', 'a\nb\n', 'a\r\nb\r\n', '\uFEFF<?php\n', 'grüße 🎉']) {
      const read = readText(bytesOf(raw))
      assert.ok(read)
      assert.equal(read.isMixed, false)
      assert.deepEqual(Buffer.from(await writeText(read.text, read.lineEnd).arrayBuffer()), Buffer.from(raw))
    }
  })

  void it('says when line ends are mixed, and refuses what is not text', () => {
    assert.deepEqual(readText(bytesOf('a\r\nb\nc')), { text: 'a\nb\nc', lineEnd: '\r\n', isMixed: true })
    assert.equal(readText(bytesOf('a\rb'))?.isMixed, true)
    assert.equal(readText(bytesOf('a\0b')), undefined)
    assert.equal(readText(Uint8Array.from([0xff, 0xfe]).buffer), undefined)
  })
})

void describe('paths', () => {
  void it('are taken apart and put together', () => {
    assert.deepEqual(
      [joined('', 'a'), joined('a/b', 'c'), parentOf('a'), parentOf('a/b'), nameOf('a/b')],
      ['a', 'a/b/c', '', 'a', 'b'],
    )
    assert.deepEqual(stepsTo('a/b'), [
      { name: 'a', path: 'a' },
      { name: 'b', path: 'a/b' },
    ])
    assert.deepEqual(
      [folderAddress(''), folderAddress('a b/c'), fileAddress('a/&.php')],
      ['?', '?path=a+b%2Fc', '?path=a&file=a%2F%26.php'],
    )
  })
})
