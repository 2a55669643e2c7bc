import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { faultOfPattern } from '#platform/contract/safe-pattern.ts'
import { matcherOf } from './match-pattern.ts'

const PATTERNS = [
  'abc',
  '^a',
  'b$',
  '^a*$',
  'a+b?c',
  '(?:ab|ba)+c?',
  '(a|b|ab){2,3}c',
  '[a-c]{2}\\d',
  '[^ab]c',
  '\\bab\\b',
  'a.c',
  'a{2}',
  'b{1,}c{0,2}$',
  '^$',
  'a|',
  '\\w\\W\\x41',
  '[\\d_-]',
  'a*?b',
]

void describe('a pattern that is tried on requests', () => {
  for (const pattern of PATTERNS)
    void it(`finds the same as others do: ${pattern}`, () => {
      assert.equal(faultOfPattern(pattern), undefined)
      const isFound = matcherOf(pattern)
      const other = new RegExp(pattern, 'is')
      const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'C', '0', '_', '-', ' ', '\n') })
      fc.assert(fc.property(text, value => isFound(value) === other.test(value)))
    })

  void it('takes no longer for what would keep others busy for years', () => {
    const isFound = matcherOf('a*a*a*a*a*a*a*a*a*a*b')
    assert.equal(isFound('a'.repeat(2000)), false)
    assert.throws(() => matcherOf('(?:abcdef){1000}'), { code: 'validation_error' })
  })
})
