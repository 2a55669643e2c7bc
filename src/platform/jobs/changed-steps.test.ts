import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Config } from '#platform/config/config.ts'
import { type Death, throughVersions, type Version } from '#test/support/job-versions.ts'
import { ENGINES, newConfig } from '#test/support/panel.ts'
import type { AnyJobType } from './job-type.ts'
import { jobRegistry } from './registry.ts'

/** The first version of the panel dies in step c. */
const IN_C: Death = { point: 'before-step', step: 'c' }
/** Its job failed in d, and it dies when it is about to undo c. */
const UNDOING_C: Death = { point: 'before-undo', step: 'c' }

interface Case {
  readonly title: string
  readonly next: Version
  readonly did: string
  /** In the error's message, behind the sentence that tells of the update. Absent where the job continues. */
  readonly says?: string
}

const MISSING = (step: string) => `Not rolled back, because this version has no such step: "Step ${step}" (${step}).`
const undone = (...steps: string[]) => `Rolled back: ${steps.map(step => `"Step ${step}" (${step})`).join(', ')}.`

const FORWARDS: Case[] = [
  { title: 'nothing', next: 'a b c d', did: 'c d' },
  { title: 'a later step renamed', next: 'a b c e', did: 'c e' },
  { title: 'the later steps removed', next: 'a b c', did: 'c' },
  { title: 'a step added behind', next: 'a b c x d', did: 'c x d' },
  { title: 'a done step renamed', next: 'a z c d', did: 'undo c, undo a', says: `${undone('a', 'c')} ${MISSING('b')}` },
  {
    title: 'the step under way renamed',
    next: 'a b z d',
    did: 'undo b, undo a',
    says: `${undone('a', 'b')} ${MISSING('c')}`,
  },
  { title: 'a done step removed', next: 'a c d', did: 'undo c, undo a', says: `${undone('a', 'c')} ${MISSING('b')}` },
  {
    title: 'the step under way removed',
    next: 'a b d',
    did: 'undo b, undo a',
    says: `${undone('a', 'b')} ${MISSING('c')}`,
  },
  {
    title: 'every step renamed',
    next: 'w x y z',
    did: '',
    says: `Nothing was rolled back. ${MISSING('a').slice(0, -1)}, "Step b" (b), "Step c" (c).`,
  },
  { title: 'done steps reordered', next: 'b a c d', did: 'undo c, undo b, undo a', says: undone('a', 'b', 'c') },
  {
    title: 'the step under way moved behind',
    next: 'a b d c',
    did: 'undo c, undo b, undo a',
    says: undone('a', 'b', 'c'),
  },
  { title: 'a step added before', next: 'a x b c d', did: 'undo c, undo b, undo a', says: undone('a', 'b', 'c') },
]

const BACKWARDS: Case[] = [
  { title: 'nothing', next: 'a b c d', did: 'undo c, undo b, undo a' },
  { title: 'only what was undone already', next: 'a b c', did: 'undo c, undo b, undo a' },
  { title: 'the steps reordered', next: 'c d a b', did: 'undo c, undo b, undo a' },
  { title: 'a step added', next: 'x a b y c d', did: 'undo c, undo b, undo a' },
  {
    title: 'the step being undone renamed',
    next: 'a b z d',
    did: 'undo b, undo a',
    says: `${undone('a', 'b', 'd')} ${MISSING('c')}`,
  },
  {
    title: 'a step still to undo removed',
    next: 'a c d',
    did: 'undo c, undo a',
    says: `${undone('a', 'c', 'd')} ${MISSING('b')}`,
  },
]

for (const engineName of ENGINES) {
  describe(`a job whose steps changed with the panel, on ${engineName}`, { timeout: 300_000 }, () => {
    let config: Config
    before(async () => {
      config = await newConfig(engineName)
    })
    after(() => rmSync(config.dataDir, { recursive: true, force: true }))

    for (const { title, next, did, says } of FORWARDS)
      it(`continuing, changed: ${title}`, async () => {
        const outcome = await throughVersions(config, [{ version: 'a b c d', death: IN_C }, { version: next }])
        assert.equal(outcome.did.join(says === undefined ? ' ' : ', '), did)
        assert.equal(outcome.job.status, says === undefined ? 'succeeded' : 'failed')
        if (says === undefined) return assert.deepEqual(outcome.job.result, { ran: next.split(' ') })
        assert.equal(outcome.job.error?.code, 'steps_changed')
        assert.match(
          outcome.job.error.message,
          /^The panel was updated while this job ran\. The new version .*, so the job can't continue\. /,
        )
        assert.ok(outcome.job.error.message.endsWith(` ${says}`), outcome.job.error.message)
      })

    for (const { title, next, did, says } of BACKWARDS)
      it(`undoing, changed: ${title}`, async () => {
        const first = { version: 'a b c d', failAt: 'd', death: UNDOING_C }
        const outcome = await throughVersions(config, [first, { version: next }])
        assert.equal(outcome.did.join(', '), did)
        assert.equal(outcome.job.status, 'failed')
        assert.deepEqual(
          outcome.job.error,
          says === undefined
            ? { code: 'told', message: 'told to fail', output: null }
            : { code: 'steps_changed', message: `told to fail ${says}`, output: null },
        )
      })

    it('continues when only the labels were reworded', async () => {
      const lives = [
        { version: 'a b c d', death: IN_C },
        { version: 'a b c d', reworded: true },
      ]
      const { job, did } = await throughVersions(config, lives)
      assert.equal(job.status, 'succeeded')
      assert.deepEqual(did, ['c', 'd'])
    })

    it('undoes nothing past the point of no return, also when that step has gone', async () => {
      for (const next of ['a b! z d', 'a z c d', 'a b z d']) {
        const { job, did } = await throughVersions(config, [{ version: 'a b! c d', death: IN_C }, { version: next }])
        assert.equal(job.status, 'failed')
        assert.equal(job.error?.code, 'steps_changed')
        assert.match(job.error.message, /no longer has .* It was too late to roll back/)
        assert.deepEqual(did, [])
      }
    })

    it('takes any next step when the panel was stopped between two', async () => {
      const { job, did } = await throughVersions(config, [
        { version: 'a b c d', stopDuring: 'b' },
        { version: 'a b x' },
      ])
      assert.equal(job.status, 'succeeded')
      assert.deepEqual(did, ['x'])
    })

    it('remembers what was undone and what was missing when the panel dies while undoing', async () => {
      const { job, did, log } = await throughVersions(config, [
        { version: 'a b c d', death: IN_C },
        { version: 'a z c d', death: { point: 'before-undo', step: 'a' } },
        { version: 'a z c d' },
      ])
      assert.deepEqual(did, ['undo a'])
      assert.ok(job.error?.message.endsWith(`${undone('a', 'c')} ${MISSING('b')}`), job.error?.message)
      assert.match(log, /Can't roll back: Step b\. This version of the panel has no step b\./)
    })
  })
}

describe('the steps of a job type', () => {
  const type = (...ids: string[]) =>
    ({ type: 'test.ids', steps: ids.map(id => ({ id, label: id, run: async () => {} })) }) as unknown as AnyJobType

  it('have ids of their own', () => {
    assert.throws(() => jobRegistry([type('one', 'two', 'one')]), /test\.ids has two steps called one/)
    assert.throws(() => jobRegistry([type('One step')]), /a step called "One step"; use lower case words joined with -/)
    jobRegistry([type('one', 'one-and-two')])
  })
})
