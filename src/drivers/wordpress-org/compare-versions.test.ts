import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compareVersions } from './compare-versions.ts'

/** Each is older than the next; PHP 8.4 says the same of every pair. */
const ASCENDING = [
  '0.9',
  '1.0-dev',
  '1.0-alpha',
  '1.0a2',
  '1.0-beta',
  '1.0-beta2',
  '1.0-RC1',
  '1.0RC2',
  '1.0',
  '1.0.0',
  '1.0.1',
  '1.0pl1',
  '1.2',
  '1.10',
  '2.0.0.1',
  '10',
  '20240101',
]

it('versions are ordered as PHP orders them', () => {
  for (const [at, older] of ASCENDING.entries()) {
    assert.equal(compareVersions(older, older), 0)
    for (const newer of ASCENDING.slice(at + 1)) {
      assert.equal(compareVersions(older, newer), -1, `${older} ${newer}`)
      assert.equal(compareVersions(newer, older), 1, `${newer} ${older}`)
    }
  }
  assert.equal(compareVersions('1_0+b', '1.0b'), 0)
  assert.equal(compareVersions('1.0-nonsense', '1.0'), -1)
})
