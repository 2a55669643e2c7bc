import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#platform/db/id.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { SEARCHED } from './message-store.ts'
import { conditionsOf } from './search-store.ts'

const ROWS = 3000
const NOW = Date.now()

const rowOf = (at: number) => ({
  id: newId(NOW - at * 1000),
  server_id: 1,
  queue_id: `4jTHmx${String(at).padStart(9, '0')}`,
  site_slug: at % 2 === 0 ? 'bakery' : 'shop',
  sender: at % 2 === 0 ? 'wordpress@bakery.example' : 'Shop@shop.example',
  recipient: `person${at}@${at % 100 === 0 ? 'rare' : 'usual'}.test`,
  subject: `Order ${at} 100% @ noon`,
  size_bytes: null,
  status: 'sent' as const,
  reason: '',
  remote: null,
  attempts: 1,
  events: '[]',
  created_at: NOW - at * 1000,
  updated_at: NOW,
})

for (const engineName of ENGINES)
  void describe(`searching messages on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    const db = () => panel.foundation.database.db
    const found = async (query: Record<string, string>) => {
      const { items, total } = await panel.as('read-only').mailMessageList({ query: { limit: '3', ...query } })
      return [total, ...items.map(({ to }) => to.replace(/@.*/, ''))]
    }
    before(async () => {
      panel = await testPanel({ engineName })
      const rows = Array.from({ length: ROWS }, (_, at) => rowOf(at))
      for (let at = 0; at < ROWS; at += 500)
        await db()
          .insertInto('mail_message')
          .values(rows.slice(at, at + 500))
          .execute()
    })
    after(() => panel.stop())

    void it('finds an address by its beginning, newest first, together with other filters', async () => {
      assert.deepEqual(await found({ search: 'Person17@usual.test' }), [1, 'person17'])
      assert.deepEqual(await found({ search: 'person100@' }), [1, 'person100'])
      assert.deepEqual(await found({ search: 'erson17@usual.test' }), [0])
      assert.deepEqual(await found({ search: 'p@x' }), [0])
      assert.deepEqual(await found({ search: 'shop@' }), [1500, 'person1', 'person3', 'person5'])
      assert.deepEqual(await found({ search: 'SHOP@SHOP.EX', offset: '3' }), [1500, 'person7', 'person9', 'person11'])
      assert.deepEqual(await found({ search: 'person17@usual.test', siteSlug: 'bakery' }), [0])
    })

    void it('finds a queue id whatever its case, and other text anywhere', async () => {
      assert.deepEqual(await found({ search: ' 4jthmx000000042 ' }), [1, 'person42'])
      assert.deepEqual(await found({ search: '4jTHmx00000299' }), [10, 'person2990', 'person2991', 'person2992'])
      assert.deepEqual(await found({ search: 'ER 2999 100%' }), [1, 'person2999'])
      assert.deepEqual(await found({ search: '@rare' }), [30, 'person0', 'person100', 'person200'])
      assert.deepEqual(await found({ search: '2999 100% @ n' }), [1, 'person2999'])
      assert.deepEqual(await found({ search: '%%' }), [0])
    })

    void it('looks whole addresses up in an index, and says how far back it looked for other text', async () => {
      const ask = (query: Record<string, string>) => panel.as('read-only').mailMessageList({ query })
      const old = { ...rowOf(99_999), recipient: 'old@rare.test', subject: 'Very old' }
      const many = Array.from({ length: SEARCHED }, (_, at) => rowOf(ROWS + at))
      for (let at = 0; at < many.length; at += 1000)
        await db()
          .insertInto('mail_message')
          .values(many.slice(at, at + 1000))
          .execute()
      await db().insertInto('mail_message').values(old).execute()
      const byText = await ask({ search: 'very old' })
      assert.deepEqual([byText.total, byText.searchedSince], [0, NOW - SEARCHED * 1000])
      assert.equal((await ask({ search: 'old@' })).total, 0)
      assert.deepEqual(await found({ search: 'OLD@rare.test' }), [1, 'old'])
      assert.equal((await ask({ search: 'old@rare.test' })).searchedSince, null)
      const ofSite = await ask({ search: 'very old', siteSlug: 'shop' })
      assert.deepEqual([ofSite.total, ofSite.searchedSince], [1, null])
      const options = engineName === 'sqlite' ? sql`query plan` : undefined
      if (engineName === 'postgres') await sql`analyze mail_message`.execute(db())
      const conditions = conditionsOf({ kind: 'address', address: 'nobody@x.test' })
      const plans = conditions.map(condition =>
        db().selectFrom('mail_message').selectAll().where(condition).orderBy('created_at', 'desc').limit(50),
      )
      for (const [at, column] of ['sender', 'recipient'].entries())
        assert.match(
          JSON.stringify(await plans[at]?.explain(undefined, options)),
          new RegExp(`mail_message_by_${column}`),
        )
    })
  })
