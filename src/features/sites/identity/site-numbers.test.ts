import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ENGINES, testPanel } from '#test/support/panel.ts'
import { up } from '../migrations/0020-site-owner.ts'
import { deleteSite, freeSiteNumber, getSite } from '../site-store.ts'

const account = { adminUser: 'ada', adminEmail: 'ada@example.com', domainMode: 'dev' as const }

for (const engineName of ENGINES)
  describe(`numbers of sites on ${engineName}`, { timeout: 300_000 }, () => {
    it('are given once in the whole fleet, those of sites from before included', async t => {
      const panel = await testPanel({ engineName })
      t.after(() => panel.stop())
      const { db } = panel.foundation.database
      await db.updateTable('server').set({ provisioned_at: 1 }).execute()
      const create = async (slug: string) => {
        await panel.as('manage').siteCreate({ body: { ...account, title: slug, slug } })
        return (await getSite(db, slug)).uid
      }
      assert.deepEqual([await create('one'), await create('two'), await create('three')], [70_000, 70_001, 70_002])
      await db.deleteFrom('job').execute()
      await deleteSite(db, 'two')
      assert.equal(await create('four'), 70_001)
      // As the database was before sites had numbers.
      await db.schema.dropIndex('site_uid').execute()
      await db.schema.alterTable('site').dropColumn('uid').execute()
      for (const [at, slug] of ['four', 'three', 'one'].entries())
        await db.updateTable('site').set({ created_at: at }).where('slug', '=', slug).execute()
      await up(db)
      const numbers = await Promise.all(['four', 'three', 'one'].map(async slug => (await getSite(db, slug)).uid))
      assert.deepEqual(numbers, [70_000, 70_001, 70_002])
      assert.equal(await freeSiteNumber(db), 70_003)
      await assert.rejects(db.updateTable('site').set({ uid: 70_000 }).where('slug', '=', 'one').execute(), /unique/i)
    })
  })
