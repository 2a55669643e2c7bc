import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertSite } from '#features/sites/site-store.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { listLogins } from './login-store.ts'
import { readWanted } from './service/wanted.ts'

const HOUR_MS = 3_600_000
const params = { slug: 'bakery' }

for (const engineName of ENGINES)
  describe(`FTP logins on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    before(async () => {
      panel = await testPanel({ engineName })
      for (const [at, slug] of ['bakery', 'florist', 'closing'].entries())
        await insertSite(db(), siteRow(slug, at), [`${slug}.localhost`])
      await db().updateTable('site').set({ status: 'deleting' }).where('slug', '=', 'closing').execute()
    })
    after(() => panel.stop())
    const db = () => panel.foundation.database.db
    const manage = () => panel.as('manage')
    const shown = (slug = 'bakery') => panel.as('read-only').siteFtp({ params: { slug } })
    const rows = () => listLogins(db(), ['bakery', 'florist', 'closing'])
    const linesOf = async () => (await readWanted(db(), 1)).text.split('\n').filter(line => line.includes('\t'))

    it('are none at first, and then there is no service', async () => {
      const { users, enabled, endpoint, status, applied, paused, serverId } = await shown()
      assert.deepEqual([users, enabled, endpoint, status, applied, paused], [[], false, null, 'off', true, false])
      assert.equal(serverId, 1)
      const server = await panel.as('read-only').serverFtp({ params: { id: 1 } })
      assert.deepEqual([server.enabled, server.sites, server.logins, server.activeLogins], [false, 0, 0, 0])
      await assert.rejects(shown('none'), { code: 'not_found' })
      await assert.rejects(panel.as('read-only').serverFtp({ params: { id: 99 } }), { code: 'not_found' })
    })

    it('are created with a password that is shown once and kept as a hash', async () => {
      const expiresAt = Date.now() + HOUR_MS
      const { user, password } = await manage().ftpUserCreate({ params, body: { username: 'ada', expiresAt } })
      assert.match(password ?? '', /^[\w-]{24}$/)
      assert.deepEqual([user.username, user.folder, user.expiresAt, user.expired], ['ada', '', expiresAt, false])
      const chosen = { username: 'ben.2', password: 'correct horse battery' }
      assert.equal((await manage().ftpUserCreate({ params, body: chosen })).password, null)
      for (const { password_hash } of await rows())
        assert.match(password_hash, /^\$7\$B6\.{4}\/\.{4}[./\w]{22}\$[./\w]{43}$/)
      const { users, enabled, endpoint, applied } = await shown()
      assert.deepEqual([users.map(({ username }) => username), enabled, applied], [['ada', 'ben.2'], true, false])
      assert.deepEqual([endpoint?.ftpPort, endpoint?.sftpPort], [21, 2222])
      assert.doesNotMatch(JSON.stringify(await shown()), /\$7\$/)
      const server = await panel.as('read-only').serverFtp({ params: { id: 1 } })
      assert.deepEqual([server.sites, server.logins, server.activeLogins, server.status], [1, 2, 2, 'starting'])
    })

    it('are refused for a taken name, bad input, and a site that is being deleted', async () => {
      const before = await rows()
      const create = (body: object, slug = 'florist') =>
        manage().ftpUserCreate({ params: { slug }, body: { username: 'cleo', ...body } })
      await assert.rejects(create({ username: 'ada' }), { code: 'conflict', details: { username: 'ada' } })
      await assert.rejects(create({}, 'closing'), { code: 'conflict', details: { status: 'deleting' } })
      await assert.rejects(create({}, 'none'), { code: 'not_found' })
      const invalid = [
        ...['', 'a', 'Ada', '-ada', 'a:b', 'a b', 'a\nb', 'root', 'x'.repeat(33)].map(username => ({ username })),
        ...['short', 'with\nnewline-in-it', ' leading-space-here', 'x'.repeat(121)].map(password => ({ password })),
        ...['/etc', '../x', 'a//b', 'a:b', 'a\tb', '~', 'a%u', 'x'.repeat(201)].map(folder => ({ folder })),
        ...[1, Date.now() - 1, 1.5, '2030-01-01'].map(expiresAt => ({ expiresAt })),
        { shell: '/bin/sh' },
      ]
      for (const body of invalid) await assert.rejects(create(body), { code: 'validation_error' }, JSON.stringify(body))
      await assert.rejects(panel.as('read-only').ftpUserCreate({ params, body: { username: 'dora' } }), {
        code: 'forbidden',
      })
      assert.deepEqual(await rows(), before)
    })

    it('stand in the state of their server with the number of their site, and not while it is paused', async () => {
      const lines = await linesOf()
      assert.equal(lines.length, 2)
      assert.match(lines[0] ?? '', /^ada\t\$7\$\S+\t70000\t\/sites\/bakery\/html\t\d{10}\t1$/)
      assert.match(lines[1] ?? '', /^ben\.2\t\$7\$\S+\t70000\t\/sites\/bakery\/html\t-\t1$/)
      const generation = async () => (await readWanted(db(), 1)).generation
      const running = await generation()
      await db().updateTable('site').set({ status: 'stopped' }).where('slug', '=', 'bakery').execute()
      assert.deepEqual([await linesOf(), (await shown()).paused], [[], true])
      assert.equal((await panel.as('read-only').serverFtp({ params: { id: 1 } })).activeLogins, 0)
      assert.notEqual(await generation(), running)
      await db().updateTable('site').set({ status: 'running' }).where('slug', '=', 'bakery').execute()
      const copy = { site_slug: 'bakery', server_id: 1, network_index: 9, stage: 'copying' as const, created_at: 1 }
      await db().insertInto('site_copy').values(copy).execute()
      assert.deepEqual([await linesOf(), (await shown()).paused], [[], true])
      await db().updateTable('site_copy').set({ stage: 'parked' }).execute()
      assert.deepEqual([await generation(), (await shown()).paused], [running, false])
      await db().deleteFrom('site_copy').execute()
    })

    it('end the sessions of the site when one changes, and its own with a new password', async () => {
      const [ada, ben] = (await shown()).users
      assert.ok(ada && ben)
      const one = { params: { ...params, id: ada.id } }
      const { user } = await manage().ftpUserUpdate({ ...one, body: { expiresAt: null } })
      assert.deepEqual([user.expiresAt, user.folder], [null, ''])
      const [first, second] = await rows()
      assert.ok((first?.revision ?? 0) > 1 && (second?.revision ?? 0) > 1)
      const given = await manage().ftpUserPassword({ ...one, body: {} })
      assert.match(given.password ?? '', /^[\w-]{24}$/)
      const chosen = await manage().ftpUserPassword({ ...one, body: { password: 'another long password' } })
      assert.equal(chosen.password, null)
      const after = await rows()
      assert.notEqual(after[0]?.password_hash, first?.password_hash)
      assert.ok((after[0]?.revision ?? 0) > (first?.revision ?? 0))
      assert.equal(after[1]?.revision, second?.revision)
      await assert.rejects(manage().ftpUserUpdate({ ...one, body: { expiresAt: 1 } }), { code: 'validation_error' })
      const elsewhere = { params: { slug: 'florist', id: ada.id } }
      await assert.rejects(manage().ftpUserUpdate({ ...elsewhere, body: {} }), { code: 'not_found' })
      await assert.rejects(manage().ftpUserPassword({ ...elsewhere, body: {} }), { code: 'not_found' })
      await assert.rejects(manage().ftpUserDelete(elsewhere), { code: 'not_found' })
      assert.deepEqual(await rows(), after)
    })

    it('expire, are deleted, and go with their site', async () => {
      await db().updateTable('ftp_login').set({ expires_at: 1000 }).where('username', '=', 'ada').execute()
      const [ada] = (await shown()).users
      assert.equal(ada?.expired, true)
      assert.equal((await panel.as('read-only').serverFtp({ params: { id: 1 } })).activeLogins, 1)
      assert.deepEqual(await manage().ftpUserDelete({ params: { ...params, id: ada?.id ?? '' } }), { ok: true })
      assert.deepEqual(
        (await shown()).users.map(({ username }) => username),
        ['ben.2'],
      )
      await db().deleteFrom('site').where('slug', '=', 'bakery').execute()
      assert.deepEqual(await rows(), [])
    })
  })
