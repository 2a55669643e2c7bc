import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { holdsMarks, onlyFor, withhold } from './withhold.ts'

describe('a field that is only for some', () => {
  it('keeps its mark when it is described, optional or given a default afterwards', () => {
    const secret = onlyFor('manage', z.string())
    const later = {
      plain: secret,
      described: secret.describe('a secret'),
      titled: secret.meta({ title: 'Secret' }),
      optional: secret.optional(),
      preset: secret.default('x'),
    }
    for (const [name, field] of Object.entries(later)) {
      const schema = z.object({ field })
      assert.ok(holdsMarks(schema), name)
      assert.deepEqual(withhold(schema, { field: 'hidden' }, 'read-only'), { field: null }, name)
      assert.deepEqual(withhold(schema, { field: 'shown' }, 'manage'), { field: 'shown' }, name)
    }
  })
})
