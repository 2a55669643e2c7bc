import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Scope } from '#platform/scope.ts'
import { events, type HookAnswers } from './events.ts'

const scope = {} as Scope
const says = (text: string): HookAnswers => ({ housekeeping: async () => text })

describe('hooks', () => {
  it('are raised for every feature that answers, in order', async () => {
    const answers = await events([says('one'), {}, says('two')]).raise(scope, 'housekeeping', {})
    assert.deepEqual(answers, ['one', 'two'])
  })

  it('are asked of the one feature that answers', async () => {
    assert.equal(await events([{}, says('one')]).ask(scope, 'housekeeping', {}), 'one')
  })

  it('are not asked when no one or more than one feature answers', async () => {
    for (const answerers of [[], [says('one'), says('two')]])
      await assert.rejects(events(answerers).ask(scope, 'housekeeping', {}), /housekeeping needs exactly one feature/)
  })
})
