import assert from 'node:assert/strict'
import { it } from 'node:test'
import { refuseFor } from './missing-site.ts'

const WHOLE = { slug: 'hello', parts: 'all' as const, paths: [], tables: [], skipSafetyCopy: false }
const asked = (change: Partial<Parameters<typeof refuseFor>[1]> = {}) => ({ ...WHOLE, ...change })

it('what is missing comes back whole, and what is left is not replaced by accident', () => {
  refuseFor('all', asked())
  refuseFor('files', asked({ parts: 'files' }))
  refuseFor('database', asked({ parts: 'database' }))
  for (const missing of ['files', 'database'] as const) {
    refuseFor(missing, asked({ skipSafetyCopy: true }))
    assert.throws(() => refuseFor(missing, asked()), /still there\. Restore only its (files|database)/)
  }
  for (const missing of ['files', 'all'] as const) {
    assert.throws(() => refuseFor(missing, asked({ parts: 'database' })), /files of hello are no longer/)
    assert.throws(() => refuseFor(missing, asked({ parts: 'files', paths: ['a'] })), /Restore all of them/)
  }
  for (const missing of ['database', 'all'] as const) {
    assert.throws(() => refuseFor(missing, asked({ parts: 'files' })), /database of hello is missing or incomplete/)
    assert.throws(
      () => refuseFor(missing, asked({ parts: 'database', tables: ['a'] })),
      /Restore all of it|all of them/,
    )
  }
})
