import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergeContainerParts } from './container-parts.ts'

const mount = (target: string) => ({ mounts: [{ source: '/srv/x', target }] })

describe('what features add to the container of a site', () => {
  it('is all of it', () => {
    const parts = [mount('/a'), { env: { ONE: '1' } }, {}, mount('/b')]
    assert.deepEqual(mergeContainerParts(parts), {
      mounts: [...mount('/a').mounts, ...mount('/b').mounts],
      env: { ONE: '1' },
    })
  })

  it('cannot be set by two features', () => {
    assert.throws(() => mergeContainerParts([mount('/a'), mount('/a')]), /two features set the mount \/a/)
    assert.throws(() => mergeContainerParts([{ env: { ONE: '1' } }, { env: { ONE: '1' } }]), /variable ONE/)
  })
})
