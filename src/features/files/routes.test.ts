import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Ask, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { changeUpload, deleteUpload, findUpload, insertUpload, listIdleUploads } from './uploads/upload-store.ts'

const SLUG = 'hello'
const params = { slug: SLUG }

for (const engineName of ENGINES) {
  describe(`files on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const manage = () => panel.as('manage')
    const db = () => panel.foundation.database.db
    before(async () => {
      panel = await testPanel({ engineName })
      await db().updateTable('server').set({ provisioned_at: 1 }).execute()
      const account = { adminUser: 'ada', adminEmail: 'ada@example.com' }
      await manage().siteCreate({ body: { title: 'Hello', slug: SLUG, domainMode: 'dev', ...account } })
    })
    after(() => panel.stop())

    it('need a site that runs', async () => {
      const isNotRunning = { code: 'conflict', details: { status: 'creating' } }
      await assert.rejects(manage().fileList({ params, query: {} }), isNotRunning)
      await assert.rejects(manage().fileMkdir({ params, body: { path: 'a' } }), isNotRunning)
      await assert.rejects(manage().fileExtract({ params, body: { path: 'a.zip' } }), isNotRunning)
      await assert.rejects(manage().fileList({ params: { slug: 'nope' }, query: {} }), { code: 'not_found' })
    })

    it('are named by paths within the site', async () => {
      const long = 'x'.repeat(256)
      for (const path of ['/a', 'a/', 'a//b', '.', '..', 'a/../b', './a', '\0', '\ud800', long, 'é'.repeat(128)])
        await assert.rejects(manage().fileMkdir({ params, body: { path } }), { code: 'validation_error' }, path)
      await assert.rejects(manage().fileMkdir({ params, body: { path: '' } }), { code: 'validation_error' })
      const paths = Array.from({ length: 201 }, (_, at) => `file-${at}`)
      await assert.rejects(manage().fileDelete({ params, body: { paths } }), { code: 'validation_error' })
      for (const mode of ['4755', '888', '7', ''])
        await assert.rejects(manage().fileChmod({ params, body: { path: 'a', mode } }), { code: 'validation_error' })
    })

    it('are never reached by a path out of the site, whatever is asked', async () => {
      const outside = ['../x', '/etc/passwd', 'a/../../x', '/proc/self/root/etc', 'a\0b', 'x'.repeat(5000)]
      const bytes = { raw: 'x', headers: { 'content-type': 'application/octet-stream' } }
      for (const path of outside) {
        const query = new URLSearchParams({ path }).toString()
        const asked: Record<string, Ask> = {
          [`?${query}`]: {},
          [`/content?${query}`]: {},
          [`/content?${query}&lint=php`]: { method: 'PUT', ...bytes },
          [`/download?${query}`]: {},
          [`/search?${query}&q=x`]: {},
          [`/uploads/upload-0001?${query}&offset=0&size=1`]: { method: 'PUT', ...bytes },
          [`/uploads/upload-0002?${query}`]: { method: 'DELETE' },
          '/mkdir': { body: { path } },
          '/move?': { body: { from: path, to: 'a' } },
          '/move': { body: { from: 'a', to: path } },
          '/copy?': { body: { from: path, to: 'a' } },
          '/copy': { body: { from: 'a', to: path } },
          '/delete': { body: { paths: ['a', path] } },
          '/chmod': { body: { path, mode: '644' } },
          '/fix-ownership': { body: { path } },
          '/extract?': { body: { path: `${path}.zip` } },
          '/extract': { body: { path: 'a.zip', to: path } },
          '/compress?': { body: { paths: [path], to: 'a.zip' } },
          '/compress': { body: { paths: ['a'], to: `${path}.zip` } },
        }
        for (const [address, { body, headers, ...how }] of Object.entries(asked)) {
          const answer = await panel.ask(`/api/sites/${SLUG}/files${address}`, {
            ...(body === undefined ? {} : { method: 'POST', body }),
            ...how,
            headers: { authorization: `Bearer ${panel.token.manage}`, ...headers },
          })
          assert.deepEqual([answer.status, address], [400, address])
        }
      }
    })

    it('are packed from one folder into a .zip in it', async () => {
      await db().updateTable('site').set({ status: 'running' }).where('slug', '=', SLUG).execute()
      const refused = (paths: string[], to: string) =>
        assert.rejects(manage().fileCompress({ params, body: { paths, to } }), { code: 'validation_error' })
      await refused(['a/b'], 'c.zip')
      await refused(['a/b', 'c/d'], 'a/e.zip')
      await refused(['a'], 'a.tar')
      await refused(['a', 'a'], 'b.zip')
      await refused(['b.zip'], 'b.zip')
      await assert.rejects(manage().fileExtract({ params, body: { path: 'a.tar' } }), { code: 'validation_error' })
    })

    it('arrive in uploads that are remembered until no one continues them', async () => {
      const key = { site_slug: SLUG, id: 'upload-0001' }
      const row = { ...key, path: 'a', size_bytes: 2 ** 40, received_bytes: 0, is_written: 0, changed_at: 1000 }
      await insertUpload(db(), row)
      await insertUpload(db(), { ...row, path: 'another' })
      assert.deepEqual(await findUpload(db(), key), row)
      await changeUpload(db(), key, { received_bytes: 2 ** 33, is_written: 1, changed_at: 2000 })
      assert.deepEqual(await listIdleUploads(db(), 2000), [])
      const [idle] = await listIdleUploads(db(), 2001)
      assert.deepEqual([idle?.received_bytes, idle?.is_written], [2 ** 33, 1])
      await deleteUpload(db(), key)
      assert.equal(await findUpload(db(), key), undefined)
    })
  })
}
