import { InvalidWord } from './errors.ts'

const BARE_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/

/** One word for a POSIX shell: plain ones stay readable, in single quotes nothing but the quote itself is special. */
export const quote = (word: string): string => {
  refuseUnsendable(word)
  return BARE_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A program would end the word at NUL, and UTF-8 would turn a lone surrogate into another character. */
export const refuseUnsendable = (word: string): void => {
  if (word.includes('\0')) throw new InvalidWord("a word can't contain NUL")
  if (!word.isWellFormed()) throw new InvalidWord("a word can't contain half of a surrogate pair")
}
