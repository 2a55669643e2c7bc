import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCESS, LEVEL_NAMES, LEVELS } from '#platform/contract/level.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Actor, describeActor, levelOf } from './actor.ts'
import { requireLevel } from './require-level.ts'

const key = (level: (typeof ACCESS)[number]): Actor => ({ kind: 'key', id: '1', name: 'backup script', level })
const person: Actor = { kind: 'person', id: '2', name: 'Anna', sessionId: '3', level: 'full' }
const system: Actor = { kind: 'system', name: 'panel', level: 'full' }
const app: Actor = {
  kind: 'connection',
  id: '4',
  name: 'Claude',
  level: 'manage',
  sites: null,
  allowDangerous: false,
}
const nobody: Actor = { kind: 'anonymous' }

const refusal = (actor: Actor, needed: (typeof LEVELS)[number]) => {
  try {
    requireLevel(actor, needed)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
}

describe('levels', () => {
  it('nest: each includes all before it', () => {
    for (const [held, access] of ACCESS.entries()) {
      for (const [needed, level] of LEVELS.entries())
        assert.equal(refusal(key(access), level) === undefined, needed <= held + 1, `${access} for ${level}`)
    }
  })

  it('of people and of the panel itself are Full', () => {
    for (const actor of [person, system]) for (const level of LEVELS) assert.equal(refusal(actor, level), undefined)
  })

  it('of no one open nothing but what needs none, and the answer says to sign in', () => {
    assert.equal(refusal(nobody, 'none'), undefined)
    for (const level of ACCESS) assert.equal(refusal(nobody, level)?.code, 'unauthorized')
    assert.equal(levelOf(nobody), 'none')
  })

  it('that do not reach are named both, the held and the needed', () => {
    const problem = refusal(key('read-only'), 'full')
    assert.equal(problem?.code, 'forbidden')
    assert.match(problem?.message ?? '', /Full access is required .* has Read only/)
    assert.deepEqual(problem?.details, { needed: LEVEL_NAMES.full, held: LEVEL_NAMES['read-only'] })
  })

  it('belong to callers who are named in jobs and logs', () => {
    assert.deepEqual([nobody, key('full'), app, person, system].map(describeActor), [
      'nobody',
      'key backup script',
      'AI connection Claude',
      'Anna',
      'panel',
    ])
  })
})
