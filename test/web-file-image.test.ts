import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { imageIn, isImageName } from '#features/files/web/preview/image-in.ts'

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap(part => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)))
const zeros = (length: number) => Array.from({ length }, () => 0)

const PNG = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 3, 32, 0, 0, 2, 88, 8, 6, 0, 0, 0])
const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0], [0xff, 0xff, 0xc0, 0, 17, 8, 0, 100, 0, 200, 3])
const WEBP = bytes('RIFF', zeros(4), 'WEBP')

void describe('the preview of an image', () => {
  void it('knows images by their bytes', () => {
    assert.deepEqual(imageIn(PNG), { type: 'image/png', width: 800, height: 600 })
    assert.deepEqual(imageIn(JPEG), { type: 'image/jpeg', width: 200, height: 100 })
    assert.deepEqual(imageIn(bytes('GIF89a', [10, 0, 5, 1, 0, 0])), { type: 'image/gif', width: 10, height: 261 })
    const extended = bytes([...WEBP], 'VP8X', zeros(8), [9, 0, 0, 4, 0, 1])
    assert.deepEqual(imageIn(extended), { type: 'image/webp', width: 10, height: 65_541 })
    const plain = bytes([...WEBP], 'VP8 ', zeros(10), [16, 0, 8, 0])
    assert.deepEqual(imageIn(plain), { type: 'image/webp', width: 16, height: 8 })
    const lossless = bytes([...WEBP], 'VP8L', zeros(4), [0x2f, 1, 0x40, 0, 0])
    assert.deepEqual(imageIn(lossless), { type: 'image/webp', width: 2, height: 2 })
    const size = (width: number) => bytes('ispe', zeros(7), [width], zeros(3), [width])
    const avif = bytes(zeros(4), 'ftypavif', zeros(20), [...size(8)], [...size(64)])
    assert.deepEqual(imageIn(avif), { type: 'image/avif', width: 64, height: 64 })
  })

  void it('shows nothing else, and nothing that is cut off', () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<html><script>',
      '',
      'GIF89a',
      '\x89PNG\r\n\x1a\n',
    ])
      assert.equal(imageIn(bytes(text)), undefined)
    for (let length = 0; length < 24; length += 1) assert.equal(imageIn(PNG.slice(0, length)), undefined)
    assert.equal(imageIn(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff], zeros(40))), undefined)
    assert.equal(imageIn(bytes('GIF89a', zeros(6))), undefined)
  })

  void it('is for names of images only, never for SVG', () => {
    assert.ok(['a.png', 'b.JPG', 'c.jpeg', 'd.gif', 'e.webp', 'f.avif'].every(isImageName))
    assert.ok(!['a.svg', 'a.png.php', 'png', 'a.svgz', ''].some(isImageName))
  })
})
