import type { MailMessageTable } from '../tables.ts'

/** Characters of scripts that are written without spaces: each is a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gv
const WORD = /[\p{L}\p{M}\p{N}]+/gv
const LATIN = /^\p{sc=Latin}/v
const DIGIT = /\p{N}/v
const LONGEST_WORD = 40
const MOST_WORDS = 120
/** Beginnings by which a word is found; one that is typed further is narrowed by the longest of them. */
const LENGTHS = [3, 5, 8]
/** Other scripts say more with a character. */
const OTHER_LENGTHS = [2, ...LENGTHS]
/** Longer ones in a reply are ids of another server, and there is no end of them. */
const LONGEST_NUMBER_SAID = 4
const SHORTEST_NUMBER = 2
const MOST_KEYS = 8
/** Most messages are sent, and every one was queued: these narrow nothing. */
const RARE: readonly string[] = ['deferred', 'bounced', 'refused', 'dropped']

type Row = Pick<MailMessageTable, 'sender' | 'recipient' | 'subject' | 'reason'>

export const wordsIn = (text: string): string[] =>
  (text.normalize('NFKC').toLowerCase().replace(UNSPACED, ' $& ').match(WORD) ?? []).map(word =>
    word.slice(0, LONGEST_WORD),
  )

const isSaid = (word: string): boolean => word.length <= LONGEST_NUMBER_SAID || !DIGIT.test(word)

/** By what a message is found: words of addresses, subject and what was last said. */
export const wordsOf = ({ sender, recipient, subject, reason }: Row): string[] => {
  const said = wordsIn(reason).filter(isSaid)
  return [...new Set([...wordsIn(`${sender} ${recipient} ${subject}`), ...said])].slice(0, MOST_WORDS)
}

/** As it is kept with a message: a word begins after a space and ends before one. */
export const writeWords = (words: readonly string[]): string => ` ${words.join(' ')} `

/** A word with a digit is found as a whole, any other by its beginning. It has no characters that mean something to `like`. */
export const patternOf = (word: string): string => (DIGIT.test(word) ? `% ${word} %` : `% ${word}%`)

/** What the index knows of a word, the shortest first. */
export const keysOf = (word: string): string[] => {
  if (word.search(UNSPACED) === 0) return [word]
  if (DIGIT.test(word)) return word.length < SHORTEST_NUMBER ? [] : [word]
  const lengths = LATIN.test(word) ? LENGTHS : OTHER_LENGTHS
  return lengths.filter(length => length <= word.length).map(length => word.slice(0, length))
}

/** Where the index is to look for words that are searched: a few of them, for long ones are rare. Short ones are not in it. */
export const searchedKeys = (words: readonly string[]): string[] =>
  [...new Set(words.flatMap(word => keysOf(word).at(-1) ?? []))]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_KEYS)

/**
 * Keys that every message with a text anywhere in it has: its first word may be the end of a longer one, all others begin
 * one. Long numbers of a reply are not in the index.
 */
export const keysWithin = (text: string): string[] => {
  const words = wordsIn(text)
  const beginning = wordsIn(text.slice(0, 1)).length > 0 ? words.slice(1) : words
  return searchedKeys(withoutPart(text, beginning).filter(isSaid))
}

/** The last word may be typed only in part, which a word with a digit is not found by. */
export const withoutPart = (text: string, words: readonly string[]): readonly string[] => {
  const last = words.at(-1) ?? ''
  return DIGIT.test(last) && wordsIn(text.slice(-1)).length > 0 ? words.slice(0, -1) : words
}

interface Marked {
  readonly siteSlug?: string | null | undefined
  readonly serverId?: number | undefined
  readonly status?: string | undefined
}

/** The other filters, as keys of the same index: no word has a colon. */
export const marksOf = ({ siteSlug, serverId, status }: Marked): string[] => [
  ...(siteSlug ? [`site:${siteSlug}`] : []),
  ...(serverId === undefined ? [] : [`server:${serverId}`]),
  ...(status && RARE.includes(status) ? [`status:${status}`] : []),
]
