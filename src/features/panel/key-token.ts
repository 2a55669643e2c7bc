import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Access } from '#platform/contract/level.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const SUM_LENGTH = 6
const MARK: Record<Access, string> = { 'read-only': 'ro', manage: 'mg', full: 'fu' }

/** What secret scanners look for: `fp_`, the access or what it is for, 32 random characters, a checksum. */
export const KEY_TOKEN = /^fp_(?:ro|mg|fu|ai|at|rt)_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/

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
const newToken = (mark: string): string => {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  const start = `fp_${mark}_${random}`
  return `${start}_${checksum(start)}`
}

export const newKeyToken = (access: Access): string => newToken(MARK[access])

/** `ai` is the token of an AI connection; an app that signed in has one for access (`at`) and one to refresh it (`rt`). */
export type ConnectionMark = 'ai' | 'at' | 'rt'

export const newConnectionToken = (mark: ConnectionMark): string => newToken(mark)

/** What a token is for, if the text can be one at all; a typing error ends here and not in the database. */
const markOf = (text: string): string | undefined =>
  KEY_TOKEN.test(text) && text.slice(-SUM_LENGTH) === checksum(text.slice(0, -SUM_LENGTH - 1))
    ? text.slice(3, 5)
    : undefined

export const looksLikeKeyToken = (text: string): boolean => Object.values(MARK).includes(markOf(text) ?? '')

export const looksLikeConnectionToken = (text: string, mark: ConnectionMark): boolean => markOf(text) === mark

export const hashToken = (token: string): string => hash('sha256', token, 'hex')

export const TOKEN_START_LENGTH = 12
