import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as later } from 'node:timers/promises'
import { sideBySide } from './side-by-side.ts'

it('fails only when everything else has ended', async () => {
  let isEnded = false
  const slow = async () => {
    await later()
    isEnded = true
  }
  await assert.rejects(sideBySide(Promise.reject(new Error('refused')), slow()), /refused/)
  assert.ok(isEnded)
})

it('returns what each has returned, in order', async () => {
  assert.deepEqual(await sideBySide(later('first'), Promise.resolve(2)), ['first', 2])
})
