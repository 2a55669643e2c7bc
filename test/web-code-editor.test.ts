import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Text } from '@codemirror/state'
import { languageOf } from '#features/files/web/editor/language-of.ts'
import { nearestLine } from '#features/files/web/editor/nearest-line.ts'

void describe('the code editor', () => {
  void it('knows a language by the name of the file', () => {
    const named = (name: string) => languageOf(name)?.language.name
    assert.deepEqual(['a.php', 'A.PHTML', 'b.js', 'c.css', 'd.json', 'e.html', 'f.tsx'].map(named), [
      'php',
      'php',
      'javascript',
      'css',
      'json',
      'html',
      'typescript',
    ])
    assert.deepEqual(['readme.txt', 'constructor', '.htaccess', 'a.b.toString'].map(named), [
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  void it('finds a line, and the last one if there is no such line', () => {
    const text = Text.of(['one', 'two', 'three'])
    assert.deepEqual(
      [2, 9, 0].map(number => nearestLine(text, number).text),
      ['two', 'three', 'one'],
    )
  })
})
