import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergeFiles } from './merge-files.ts'

describe('the files of an edge', () => {
  it('are those of every feature', () => {
    assert.deepEqual(mergeFiles([{ 'nginx.conf': 'a' }, {}, { 'sites/x.conf': 'b' }]), {
      'nginx.conf': 'a',
      'sites/x.conf': 'b',
    })
  })

  it('cannot be written by two features, even with the same text', () => {
    assert.throws(
      () => mergeFiles([{ 'sites/x.conf': 'a' }, { 'sites/x.conf': 'a' }]),
      /two features .* sites\/x\.conf/,
    )
  })
})
