import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { getSite } from '#features/sites/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { ENGINES, testPanel } from '#test/support/panel.ts'
import { stackParts } from '#test/support/stack-parts.ts'

const SITE = {
  title: 'Bakery',
  slug: 'bakery',
  domainMode: 'dev',
  adminUser: 'ada',
  adminEmail: 'a@example.com',
} as const

for (const engineName of ENGINES) {
  describe(`notes on ${engineName}`, () => {
    it('are kept, counted on Home, and deleted with their site', async () => {
      const panel = await testPanel({ engineName })
      try {
        const { db } = panel.foundation.database
        await db.updateTable('server').set({ provisioned_at: 1 }).execute()
        const api = panel.as('manage')
        await api.siteCreate({ body: SITE })
        const params = { slug: 'bakery' }
        const { note } = await api.noteCreate({ params, body: { text: 'Call back on Friday' } })
        assert.deepEqual(await api.noteList({ params }), { items: [note] })
        assert.equal((await api.overview()).counts.notes, 1)
        await assert.rejects(panel.as('read-only').noteCreate({ params, body: { text: 'x' } }), { code: 'forbidden' })
        const scope = panel.world.scope(systemActor('test')) as StepScope
        await scope.events.raise(scope, 'siteDeleting', { site: await getSite(db, 'bakery') })
        assert.deepEqual(await api.noteList({ params }), { items: [] })
      } finally {
        await panel.stop()
      }
    })
  })
}

it('are a part of the stack', async () => {
  assert.ok((await stackParts()).some(part => part.name === 'notes'))
})
