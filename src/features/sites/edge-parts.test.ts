import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergeEdgeParts } from './edge-parts.ts'

describe('what features add to a site at the edge', () => {
  it('is all of it', () => {
    const parts = [{ headers: { 'X-One': '1' } }, {}, { headers: { 'X-Two': '2' }, bodyLimitBytes: 5 }]
    assert.deepEqual(mergeEdgeParts(parts), { headers: { 'X-One': '1', 'X-Two': '2' }, bodyLimitBytes: 5 })
    assert.deepEqual(mergeEdgeParts([]), { headers: {} })
  })

  it('cannot be set by two features', () => {
    const twice = [{ headers: { 'X-One': '1' } }, { headers: { 'x-one': '1' } }]
    assert.throws(() => mergeEdgeParts(twice), /two features set the x-one/)
    assert.throws(() => mergeEdgeParts([{ bodyLimitBytes: 1 }, { bodyLimitBytes: 1 }]), /body limit/)
  })
})
