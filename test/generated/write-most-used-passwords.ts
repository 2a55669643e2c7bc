import { readFileSync, writeFileSync } from 'node:fs'
import { MOST_USED_PASSWORDS_FILE, markOf } from '#features/admins/most-used-passwords.ts'

const MOST_USED = 10_000
const LONG = 12

/**
 * Writes the list of the most used passwords again from a JSON array, most used first: the first 10,000, and of the rest those
 * that are long enough to be chosen here. The list comes from `src/passwords.json` of @zxcvbn-ts/language-common (MIT).
 */
const writeMostUsed = (listFile: string): void => {
  const list = JSON.parse(readFileSync(listFile, 'utf8')) as string[]
  const kept = list.filter((password, rank) => rank < MOST_USED || password.length >= LONG)
  const marks = [...new Set(kept.map(password => markOf(password).toString('hex')))].toSorted()
  writeFileSync(MOST_USED_PASSWORDS_FILE, Buffer.from(marks.join(''), 'hex'))
}

writeMostUsed(process.argv[2] ?? '')
