import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { plainJson, plainLine, plainText } from '../../src/cli/plain-text.ts'

const cases: [string, string, string][] = [
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a link', '\u001b]8;;https://evil.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['the clipboard', 'a\u001b]52;c;cm0gLXJmIC8=\u0007b', 'ab'],
  ['a title that has no end', 'a\u001b]0;title\nb', 'a\nb'],
  ['a device control string', '\u001bP$q"p\u001b\\x', 'x'],
  ['C1 forms', '\u009b2Jx\u009d0;t\u009cy\u0090z\u009c', 'xy'],
  ['a reset and a charset', '\u001bc\u001b(0x', 'x'],
  ['carriage returns and backspaces', 'good\rbad\b\b\b', 'goodbad'],
  ['direction overrides', 'exe\u202etxt.\u2066\u200b', 'exetxt.'],
  ['a lone escape at the end', 'x\u001b', 'x'],
  ['lines and tabs stay', 'a\tb\nc', 'a\tb\nc'],
  ['other scripts stay', 'Größe 北京 🙂', 'Größe 北京 🙂'],
]

void describe('text from a server', () => {
  for (const [title, given, shown] of cases) {
    void test(`loses its power over the terminal: ${title}`, () => assert.equal(plainText(given), shown))
  }

  void test('never holds a control character, whatever came in', () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[', '\u001b]', '\u009b', '\u001bP', '\u0007'),
    )
    fc.assert(
      fc.property(fc.array(pieces), parts => {
        const text = parts.join('')
        assert.doesNotMatch(plainText(text), /(?![\t\n])\p{Cc}/u)
        assert.doesNotMatch(plainLine(text), /\p{Cc}/u)
      }),
    )
  })

  void test('reads back the same from JSON, which holds no control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const json = plainJson({ text })
        assert.deepEqual(JSON.parse(json), { text })
        assert.doesNotMatch(json, /(?!\n)\p{Cc}/u)
      }),
    )
  })
})
