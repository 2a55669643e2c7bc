import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Sorted beginnings of SHA-256, one per password in lower case; `test/generated/write-most-used-passwords.ts` writes it. */
export const MOST_USED_PASSWORDS_FILE = new URL('./most-used-passwords.bin', import.meta.url)

/** 40 bits of each: of a hundred million other passwords, one is taken for a common one. */
export const MARK_BYTES = 5

export const markOf = (password: string): Buffer =>
  Buffer.from(hash('sha256', password.toLowerCase(), 'hex').slice(0, MARK_BYTES * 2), 'hex')

let known: Set<string> | undefined

const readKnown = (): Set<string> => {
  const bytes = readFileSync(MOST_USED_PASSWORDS_FILE)
  const count = bytes.length / MARK_BYTES
  return new Set(
    Array.from({ length: count }, (_, index) => bytes.toString('hex', index * MARK_BYTES, (index + 1) * MARK_BYTES)),
  )
}

/** What `passwordpassword` repeats; the text itself when it repeats nothing. */
const repeatedPart = (text: string): string => text.slice(0, `${text}${text}`.indexOf(text, 1))

/** Whether it is one of the 10,000 most used passwords, in any case, once or several times in a row. */
export const isMostUsed = (password: string): boolean => {
  known ??= readKnown()
  const text = password.toLowerCase()
  return [text, repeatedPart(text)].some(part => known?.has(markOf(part).toString('hex')))
}
