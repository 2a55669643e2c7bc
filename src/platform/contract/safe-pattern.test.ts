import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultOfPattern } from './safe-pattern.ts'

void describe('a pattern that a person wrote', () => {
  const fine = [
    '^/wp-login\\.php$',
    'a+b*c?',
    '(?:foo|bar)/[a-z0-9_-]{2,5}',
    '(foo|bar)?x',
    '(ab){3}',
    '\\d+\\.\\d+',
    '[^/]+/\\x41',
    'a|',
    'x{2,}?',
    '}]',
    '(?:ab)+',
    '[a-c-]',
    '[-a]',
  ]
  for (const text of fine) void it(`may be ${text}`, () => assert.equal(faultOfPattern(text), undefined))

  const wrong = [
    '',
    'a'.repeat(301),
    'é',
    '(a+)+',
    '(a*)*b',
    '(?:a|b+){2,}',
    '((a{3}){400}){2}',
    'a{1001}',
    '(a)\\1',
    '(?=a)',
    '(?<!a)b',
    '(?<name>a)',
    '(?P<name>a)',
    '(?i)a',
    '(?>a)',
    '(*LIMIT_MATCH=1)a',
    '(*SKIP)',
    'a++',
    'a*+',
    '*a',
    'a**',
    '^*',
    '(',
    ')',
    'a)',
    '[',
    '[]',
    '[a',
    '[[:alpha:]]',
    '[z-a]',
    '[\\d-z]',
    'a{3,2}',
    '\\',
    '\\pL',
    '\\Qa\\E',
    '\\K',
    '\\z',
    'a{2',
    '\n',
  ]
  for (const text of wrong)
    void it(`can't be ${JSON.stringify(text).slice(0, 30)}`, () => assert.notEqual(faultOfPattern(text), undefined))
})
