import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PACKED_PLACE, packedPath, sourcePath, withSources } from '../../src/cli/test/packed-path.ts'

const OWN = 'test/cli/packed.test.ts'
const folder = process.env[PACKED_PLACE]

describe('a packed test file', () => {
  it('is shown under the name of its source', () => {
    assert.equal(sourcePath(packedPath(OWN, folder), folder), OWN)
  })

  it('fails with the line of its source', () => {
    const { stack = '' } = new Error('planted')
    assert.match(withSources(stack, folder), /test\/cli\/packed\.test\.ts:14:/)
  })

  it('says of its modules where their sources are', () => {
    assert.equal(import.meta.filename.endsWith(OWN), true)
  })

  it('leaves alone what was not packed', () => {
    assert.equal(packedPath('no/such/file.ts', folder), 'no/such/file.ts')
    assert.equal(withSources('at /somewhere/else.js:1:2', '/packed'), 'at /somewhere/else.js:1:2')
  })
})
