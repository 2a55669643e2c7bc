import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRepository } from './architecture/repository.ts'
import { type SourceFiles, toSourceFiles } from './architecture/rule.ts'
import { type FoundText, screenTextsOf, sentencesOf, textsOf } from './words/texts.ts'
import { MAX_WORDS, UNUSED_ON_SCREENS, UNUSED_WORDS, type UnusedWord } from './words/unused-words.ts'

/** The house style and the list itself name the words that are not used. */
const NAMES_THEM = new Set(['docs/words.md', 'test/words/unused-words.ts', 'test/words.test.ts'])

const breachesIn = (texts: readonly FoundText[], unused: readonly UnusedWord[]): string[] =>
  texts.flatMap(({ text, at }) =>
    unused.flatMap(({ pattern, use }) => {
      const found = pattern.exec(text)
      return found ? [`${at} says "${found[0]}"; write: ${use}`] : []
    }),
  )

const wordBreaches = (files: SourceFiles): string[] => breachesIn(textsOf(files), UNUSED_WORDS)

const screenBreaches = (files: SourceFiles): string[] => breachesIn(screenTextsOf(files), UNUSED_ON_SCREENS)

const longSentences = (files: SourceFiles): string[] =>
  screenTextsOf(files).flatMap(({ text, at }) =>
    sentencesOf(text)
      .filter(({ words }) => words > MAX_WORDS)
      .map(({ sentence, words }) => `${at} has ${words} words: ${sentence}`),
  )

const repository = toSourceFiles(
  Object.fromEntries([...readRepository()].filter(([path]) => !NAMES_THEM.has(path) && !path.endsWith('.json'))),
)

const LONG = `${'word '.repeat(MAX_WORDS)}end.`

const PLANTED: [string, (files: SourceFiles) => string[], Record<string, string>, string[]][] = [
  ['a string', wordBreaches, { 'src/a.ts': "export const a = 'This mends the site.'" }, ['src/a.ts:1 says "mends"']],
  ['a template', wordBreaches, { 'src/a.ts': 'export const a = `${1} is made anew`' }, ['src/a.ts:1 says "anew"']],
  ['a text between tags', wordBreaches, { 'src/a.tsx': 'export const A = () => <p>Put back</p>' }, ['"Put back"']],
  ['a property', wordBreaches, { 'src/a.tsx': 'export const A = () => <p title="Go on here" />' }, ['"Go on"']],
  ['a comment', wordBreaches, { 'src/a.ts': '// Nobody asks.\nexport const a = 1' }, ['src/a.ts:1 says "Nobody"']],
  ['a test name', wordBreaches, { 'src/a.test.ts': "it('runs beside a panel', () => {})" }, ['"beside"']],
  ['a page', wordBreaches, { 'docs/a.md': '# A\n\nDNS leads nowhere.' }, ['docs/a.md:3 says']],
  ['a screen', screenBreaches, { 'src/web/a.tsx': 'export const A = () => <p>Not now</p>' }, ['write: Cancel']],
  ['a long sentence', longSentences, { 'src/features/a/web/a.ts': `export const a = '${LONG}'` }, ['has 26 words']],
  ['names and keys', wordBreaches, { 'src/a.ts': "export const nobody = { user: 'nobody' }" }, []],
  ['a sentence of 25 words', longSentences, { 'src/web/a.ts': `export const a = '${LONG.slice(5)}'` }, []],
]

describe('the house style', () => {
  it('knows no word that is not used', () => assert.deepEqual(wordBreaches(repository), []))

  it('is kept on screens', () => assert.deepEqual(screenBreaches(repository), []))

  it(`has at most ${MAX_WORDS} words in a sentence on a screen`, () => assert.deepEqual(longSentences(repository), []))

  for (const [what, rule, files, expected] of PLANTED) {
    it(`${expected.length > 0 ? 'finds a breach in' : 'accepts'} ${what}`, () => {
      const found = rule(toSourceFiles(files))
      assert.equal(found.length, expected.length, found.join('\n'))
      for (const [index, text] of expected.entries()) assert.ok(found[index]?.includes(text), found.join('\n'))
    })
  }
})
