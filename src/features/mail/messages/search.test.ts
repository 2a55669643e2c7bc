import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#platform/db/id.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { deleteMessagesBefore, fillIndex, findUnindexed, type MessageRow, SEARCHED } from './message-store.ts'
import { conditionsOf } from './search-store.ts'

const ROWS = 3000
const NOW = Date.now()

const rowOf = (at: number): MessageRow => ({
  id: newId(NOW - at * 1000),
  server_id: 1,
  queue_id: `4jTHmx${String(at).padStart(9, '0')}`,
  site_slug: at % 2 === 0 ? 'bakery' : 'shop',
  sender: at % 2 === 0 ? 'wordpress@bakery.example' : 'Shop@shop.example',
  recipient: `person${at}@${at % 100 === 0 ? 'rare' : 'usual'}.test`,
  subject: `Order ${at} 100% @ noon`,
  size_bytes: null,
  status: at % 50 === 0 ? 'bounced' : 'sent',
  reason: '',
  remote: null,
  attempts: 1,
  events: '[]',
  words: null,
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
    const insert = async (rows: readonly MessageRow[]) => {
      for (let at = 0; at < rows.length; at += 500)
        await db()
          .insertInto('mail_message')
          .values(rows.slice(at, at + 500))
          .execute()
    }
    const indexAll = async () => {
      while ((await fillIndex(db())) > 0);
    }
    const countWords = async () =>
      (
        await db()
          .selectFrom('mail_word')
          .select(select => select.fn.countAll<number>().as('count'))
          .executeTakeFirst()
      )?.count ?? 0
    before(async () => {
      panel = await testPanel({ engineName })
      await insert(Array.from({ length: ROWS }, (_, at) => rowOf(at)))
      await indexAll()
    })
    after(() => panel.stop())

    void it('finds an address by its beginning, newest first, together with other filters', async () => {
      assert.deepEqual(await found({ search: 'Person17@usual.test' }), [1, 'person17'])
      assert.deepEqual(await found({ search: 'person100@' }), [1, 'person100'])
      assert.deepEqual(await found({ search: 'erson17@usual.test' }), [0])
      assert.deepEqual(await found({ search: 'p@x' }), [0])
      assert.deepEqual(await found({ search: 'shop@' }), [203, 'person1', 'person3', 'person5'])
      assert.deepEqual(await found({ search: 'SHOP@SHOP.EX', offset: '3' }), [206, 'person7', 'person9', 'person11'])
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

    void it('finds words by their beginning in any order, numbers as a whole, together with other filters', async () => {
      assert.deepEqual(await found({ search: 'noon order 17' }), [1, 'person17'])
      assert.deepEqual(await found({ search: 'ORDE noo 1700' }), [1, 'person1700'])
      assert.deepEqual(await found({ search: 'usua person4' }), [1, 'person4'])
      assert.equal((await found({ search: 'order' }))[0], 203)
      assert.deepEqual((await found({ search: 'order', offset: '2990' })).slice(1), [
        'person2990',
        'person2991',
        'person2992',
      ])
      assert.deepEqual(await found({ search: 'rare', status: 'bounced' }), [30, 'person0', 'person100', 'person200'])
      assert.deepEqual(await found({ search: 'usual', status: 'bounced', siteSlug: 'bakery' }), [
        30,
        'person50',
        'person150',
        'person250',
      ])
      assert.deepEqual(await found({ search: 'usual', status: 'bounced', siteSlug: 'shop' }), [0])
      assert.deepEqual(await found({ search: 'rare', serverId: '2' }), [0])
      assert.deepEqual(await found({ search: 'order', hours: '1', siteSlug: 'shop' }), [
        203,
        'person1',
        'person3',
        'person5',
      ])
    })

    void it('finds words in every script, and takes what others write as data', async () => {
      const subjects = [
        'ÜBER Größe und ΑΘΗΝΑ',
        'ご注文ありがとう',
        '주문 확인',
        "'); drop table mail_word; -- 100%_",
        'x '.repeat(150),
      ]
      await insert(subjects.map((subject, at) => ({ ...rowOf(at + 20_000), recipient: `script${at}@x.test`, subject })))
      await indexAll()
      for (const [at, searches] of [
        ['größe über', 'αθη'],
        ['注文', 'ありがと'],
        ['주문', '확인'],
        ["'); drop table", 'drop mail_word'],
      ].entries())
        for (const search of searches) assert.deepEqual(await found({ search }), [1, `script${at}`], search)
      assert.equal((await found({ search: '文注 drop' }))[0], 0)
    })

    void it('has every message in the index however old, and says how far back it looked for other text', async () => {
      const ask = (query: Record<string, string>) => panel.as('read-only').mailMessageList({ query })
      const old = { ...rowOf(99_999), recipient: 'old@rare.test', subject: 'Very old' }
      await insert([...Array.from({ length: SEARCHED }, (_, at) => rowOf(ROWS + at)), old])
      const before = await ask({ search: 'noon', offset: '2990' })
      assert.deepEqual([before.items.length, before.searchedSince], [10, NOW - ROWS * 1000])
      assert.deepEqual([(await ask({ search: 'very old' })).total, await findUnindexed(db())], [0, NOW - ROWS * 1000])
      await indexAll()
      assert.equal(await findUnindexed(db()), undefined)
      for (const search of ['very old', 'OLD@', 'old@rare.test', 'old very rare']) {
        const { items, searchedSince } = await ask({ search })
        assert.deepEqual([items.map(({ to }) => to), searchedSince], [['old@rare.test'], null], search)
      }
      const whole = await ask({ search: 'ery old' })
      assert.deepEqual([whole.total, whole.searchedSince], [1, null])
      const within = await ask({ search: 'ery ol' })
      assert.deepEqual([within.total, within.searchedSince], [0, NOW - SEARCHED * 1000])
      const ofSite = await ask({ search: 'ery ol', siteSlug: 'shop' })
      assert.deepEqual([ofSite.total, ofSite.searchedSince], [1, null])
    })

    void it('looks up whole addresses and words in an index', async () => {
      const options = engineName === 'sqlite' ? sql`query plan` : undefined
      if (engineName === 'postgres') await sql`analyze`.execute(db())
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

    void it('forgets the words of messages that are deleted', async () => {
      const all = await countWords()
      assert.ok(all > 1000)
      await deleteMessagesBefore(db(), NOW - 90_000_000)
      assert.ok((await countWords()) < all)
      assert.deepEqual(await found({ search: 'very' }), [0])
      assert.equal((await found({ search: 'order 17' }))[0], 1)
      await deleteMessagesBefore(db(), NOW + 60_000)
      assert.equal(await countWords(), 0)
    })
  })
