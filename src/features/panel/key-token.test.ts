import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCESS } from '#platform/contract/level.ts'
import { hashToken, KEY_TOKEN, looksLikeKeyToken, newKeyToken } from './key-token.ts'

const SAMPLES = 1000
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'

const samples = Array.from({ length: SAMPLES }, (_, index) => newKeyToken(ACCESS[index % 3] ?? 'full'))

const withCharacter = (token: string, at: number, character: string) =>
  token.slice(0, at) + character + token.slice(at + 1)

describe('a key token', () => {
  it('has the form secret scanners look for, and names its access', () => {
    for (const token of samples) assert.match(token, KEY_TOKEN)
    assert.match(newKeyToken('read-only'), /^fp_ro_/)
    assert.match(newKeyToken('manage'), /^fp_mg_/)
    assert.match(newKeyToken('full'), /^fp_fu_/)
  })

  it('is never made twice, nor are two hashes the same', () => {
    assert.equal(new Set(samples).size, SAMPLES)
    assert.equal(new Set(samples.map(hashToken)).size, SAMPLES)
    assert.match(hashToken(samples[0] ?? ''), /^[0-9a-f]{64}$/)
  })

  it('is taken as it was given out', () => {
    assert.deepEqual(
      samples.filter(token => !looksLikeKeyToken(token)),
      [],
    )
  })

  it('uses every character of its alphabet at every place of its random part', () => {
    const seen = Array.from({ length: 32 }, () => new Set<string>())
    for (const token of samples) for (let at = 0; at < 32; at += 1) seen[at]?.add(token.charAt(6 + at))
    for (const characters of seen) assert.ok(characters.size > 55, `${characters.size} of 62 characters were seen`)
  })
})

describe('a mistyped key token', () => {
  it('is noticed for every wrong character at every place of one token', () => {
    const token = newKeyToken('manage')
    for (let at = 0; at < token.length; at += 1) {
      for (const character of CHARACTERS) {
        if (character !== token.charAt(at))
          assert.equal(looksLikeKeyToken(withCharacter(token, at, character)), false, `${character} at ${at}`)
      }
    }
  })

  it('is noticed for a wrong character at every place of a thousand tokens', () => {
    let tried = 0
    for (const token of samples) {
      for (let at = 0; at < token.length; at += 1) {
        const other = CHARACTERS.charAt((CHARACTERS.indexOf(token.charAt(at)) + 1 + ((tried * 7) % 62)) % 63)
        assert.notEqual(other, token.charAt(at))
        if (looksLikeKeyToken(withCharacter(token, at, other))) assert.fail(`${other} at ${at} of ${token}`)
        tried += 1
      }
    }
    assert.equal(tried, SAMPLES * (samples[0] ?? '').length)
  })

  it('is noticed when two neighbours are swapped, a character is lost or one is added', () => {
    for (const token of samples.slice(0, 200)) {
      for (let at = 0; at < token.length - 1; at += 1) {
        const [first, second] = [token.charAt(at), token.charAt(at + 1)]
        const swapped = token.slice(0, at) + second + first + token.slice(at + 2)
        if (first !== second) assert.equal(looksLikeKeyToken(swapped), false, swapped)
        assert.equal(looksLikeKeyToken(token.slice(0, at) + token.slice(at + 1)), false)
        assert.equal(looksLikeKeyToken(`${token.slice(0, at)}0${token.slice(at)}`), false)
      }
    }
  })

  it('is noticed when it has line ends or spaces around it, or is something else altogether', () => {
    const token = newKeyToken('full')
    for (const text of [`${token}\n`, ` ${token}`, `${token} `, token.toUpperCase(), '', 'fp_', 'a'.repeat(200)])
      assert.equal(looksLikeKeyToken(text), false, JSON.stringify(text))
  })
})
