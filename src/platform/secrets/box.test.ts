import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { secretBox } from './box.ts'

const key = randomBytes(32)
const box = secretBox(key)
const TEXTS = ['', 'a', 'pässwörd with spaces', '\u0000\u001f', '🔑'.repeat(100), 'x'.repeat(100_000)]

const flip = (sealed: string, at: number) => {
  const bytes = Buffer.from(sealed, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return bytes.toString('base64url')
}

describe('a secret box', () => {
  it('opens what it sealed', () => {
    for (const text of TEXTS) assert.equal(box.open('p', box.seal('p', text)), text)
  })

  it('opens what a box with the same key sealed, such as after a restart', () => {
    assert.equal(secretBox(Buffer.from(key)).open('p', box.seal('p', 'text')), 'text')
  })

  it('seals the same text differently each time and never shows it', () => {
    const sealed = Array.from({ length: 1000 }, () => box.seal('p', 'the text itself'))
    assert.equal(new Set(sealed).size, 1000)
    for (const one of sealed) assert.ok(!Buffer.from(one, 'base64url').includes('the text'))
    assert.match(sealed[0] ?? '', /^[\w-]+$/)
  })

  it('refuses another purpose', () => {
    const sealed = box.seal('setting:mail.password', 'text')
    for (const purpose of ['', 'setting:mail.user', 'setting:mail.passwor', 'setting:mail.password ', 'totp:1'])
      assert.throws(() => box.open(purpose, sealed), purpose)
  })

  it('refuses another key, also one that differs in a single bit', () => {
    const sealed = box.seal('p', 'text')
    const near = Buffer.from(key)
    near.writeUInt8(near.readUInt8(31) ^ 1, 31)
    for (const other of [near, randomBytes(32)]) assert.throws(() => secretBox(other).open('p', sealed))
  })

  it('refuses what was changed in any single byte', () => {
    const sealed = box.seal('p', 'the text itself')
    const { length } = Buffer.from(sealed, 'base64url')
    for (let at = 0; at < length; at += 1) assert.throws(() => box.open('p', flip(sealed, at)), `byte ${at}`)
  })

  it('refuses what was cut, lengthened, or never sealed', () => {
    const bytes = Buffer.from(box.seal('p', 'the text itself'), 'base64url')
    for (const whole of [bytes, Buffer.from(box.seal('p', ''), 'base64url')]) {
      for (let length = 0; length < whole.length; length += 1)
        assert.throws(() => box.open('p', whole.subarray(0, length).toString('base64url')), `${length} bytes`)
    }
    assert.throws(() => box.open('p', Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')))
    for (const text of ['', 'the text itself', '{}', 'A'.repeat(100)]) assert.throws(() => box.open('p', text))
  })

  it('derives one key per purpose, the same each time, and never the master key', () => {
    const purposes = ['csrf', 'seal', 'other']
    const derived = purposes.map(purpose => box.derive(purpose).toString('hex'))
    assert.equal(new Set([...derived, key.toString('hex')]).size, 4)
    for (const text of derived) assert.equal(text.length, 64)
    assert.deepEqual(
      purposes.map(purpose => secretBox(key).derive(purpose).toString('hex')),
      derived,
    )
    assert.notEqual(secretBox(randomBytes(32)).derive('csrf').toString('hex'), derived[0])
  })
})
