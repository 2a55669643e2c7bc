import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Access } from '#platform/contract/level.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const SUM_LENGTH = 6
const MARK: Record<Access, string> = { 'read-only': 'ro', manage: 'mg', full: 'fu' }

/** What secret scanners look for: `fp_`, the access, 32 random characters, a checksum. */
export const KEY_TOKEN = /^fp_(?:ro|mg|fu)_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/

const checksum = (text: string): string => {
  let value = crc32(text)
  let digits = ''
  for (let at = 0; at < SUM_LENGTH; at += 1) {
    digits = ALPHABET.charAt(value % ALPHABET.length) + digits
    value = Math.floor(value / ALPHABET.length)
  }
  return digits
}

/** A new token: 190 random bits, so a plain hash is enough to keep it. */
export const newKeyToken = (access: Access): string => {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  const start = `fp_${MARK[access]}_${random}`
  return `${start}_${checksum(start)}`
}

/** Whether the text can be a token at all; a typing error ends here and not in the database. */
export const looksLikeKeyToken = (text: string): boolean =>
  KEY_TOKEN.test(text) && text.slice(-SUM_LENGTH) === checksum(text.slice(0, -SUM_LENGTH - 1))

export const hashToken = (token: string): string => hash('sha256', token, 'hex')

export const TOKEN_START_LENGTH = 12
