import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { JobType } from '#platform/jobs/job-type.ts'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { exerciseJob, runJob, variantsOf } from '#test/support/job-kit.ts'
import { loseSite } from '#test/support/lose-site.ts'
import { ask } from '#test/support/move/visitors.ts'
import { lookAtSites, type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { listBackups } from '../backup-store.ts'
import { backupRestore } from './backup.restore.ts'

const SLUG = 'hello'
const params = { slug: SLUG }
const FOLDER = `/srv/fleetpress/sites/${SLUG}`
const HTML = `${FOLDER}/html`
const LIMIT_MS = 10 * 60_000
/** Where everything has been exchanged and all of it has to go back. */
const DEEPEST = ['start-site']

const MARIADB = `docker exec -i --user root fleetpress-database mariadb -N wp_${SLUG}`
/** WordPress creates folders and changes rows whenever its scheduled events run, so they do nothing here. */
const FILL = `set -e
echo '<?php' > ${HTML}/wp-cron.php
mkdir -p ${HTML}/wp-content/uploads/odd && cd ${HTML}/wp-content/uploads/odd
printf one > "$(printf 'a\\nb\\\\ "c" \\377\\001')" && printf two > two && ln -s ../../../../../../etc/passwd link
mkdir -m 700 closed && printf hidden > closed/file && chmod 000 closed/file
chown -hR 70000:70000 .. && touch -d '2001-02-03 04:05:06.789' two`
const SQL = `create table one (id int primary key, t longtext); insert into one values (1, 'as it was'), (2, 'é😀');
create table two (id int primary key); insert into two values (1); create table empty_one (id int);
create definer=wp_${SLUG}@localhost trigger tr before insert on one for each row set new.t = upper(new.t);`
/** A bad edit: files and rows are changed, gone and new, and WordPress does not even start. */
const SPOIL = `set -e
cd ${HTML} && echo '<?php broken' > index.php && rm -rf wp-content/uploads/odd/two wp-content/uploads/odd/closed
echo new > wp-content/uploads/odd/new && chown 70000:70000 wp-content/uploads/odd/new
printf other > "$(printf 'wp-content/uploads/odd/a\\nb\\\\ "c" \\377\\001')"
echo "delete from one where id = 2; update one set t = 'spoiled'; drop table if exists two; create table if not exists added (id int); update wp_options set option_value = 'Spoiled' where option_name = 'blogname'" | ${MARIADB}`
const FILES = `cd ${HTML} && find . -mindepth 1 -type d -printf '%P d %m %U %G\\0' -o -printf '%P %y %m %U %G %T@ %s %l\\0' | sort -z | sha256sum && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum`
const TABLES = `tables=$(echo 'show tables' | ${MARIADB} | paste -sd ,) && echo "checksum table $tables extended; show triggers" | ${MARIADB} | cut -f 1-5`

/** Created by root, so that the import stops there: the site's own account may not create it. */
const UNLOADABLE = 'create definer=root@localhost trigger bad before insert on one for each row set new.id = new.id;'
const COMMENT = `select schema_comment from information_schema.schemata where schema_name = 'wp_${SLUG}'`

/** What is left when the panel is lost in the middle: no one undoes anything. */
const abandoned = <I, S, R>(type: JobType<I, S, R>): JobType<I, S, R> => ({
  ...type,
  type: `${type.type}~abandoned`,
  steps: type.steps.map(step => ({ ...step, undo: async () => {} })),
})
const restoreAbandoned = abandoned(backupRestore)
const variant = (suffix: string) =>
  variantsOf(backupRestore).find(({ type }) => type === `${backupRestore.type}~${suffix}`) ?? assert.fail(suffix)

interface Asked {
  parts?: 'all' | 'files' | 'database'
  skipSafetyCopy?: boolean
  paths?: string[]
  tables?: string[]
}

describe('restoring, on a real server', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  let backupId: string
  let good: Awaited<ReturnType<typeof contents>>
  const api = () => house.panel.as('full')
  const shell = async (script: string, input = '') => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script], { input })
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  const db = () => house.panel.foundation.database.db
  const contents = async () => ({ files: await shell(FILES), tables: await shell(TABLES) })
  const restore = async (body: Asked) => {
    const { job } = await api().backupRestore({ params: { id: backupId }, body })
    await house.succeeded(job.id)
  }
  const visit = () => ask({ address: server.address, hostname: `${SLUG}.${server.name}.localhost`, path: '/' })
  /** Nothing may be left of a restore, whichever way it ended. */
  const leftovers = () =>
    shell(
      `ls -d ${FOLDER}/html.* /srv/fleetpress/backups/*/work-* 2>/dev/null; docker ps -a --format '{{.Names}}' | grep fleetpress-backup; true`,
    )

  before(async () => {
    house = await siteHouse(1, { extraJobs: [...variantsOf(backupRestore), restoreAbandoned] })
    server = house.servers[0] ?? assert.fail()
    await house.create(SLUG)
    await shell(FILL)
    await shell(MARIADB, SQL)
    // WordPress writes to its own tables whenever it is visited.
    await shell(MARIADB, "update wp_options set option_value = 'By hand' where option_name = 'blogname'")
    const { job } = await api().backupCreate({ params, body: {} })
    backupId = ((await house.succeeded(job.id)) as { backupId: string }).backupId
    good = await contents()
  })
  after(() => house?.[Symbol.asyncDispose]())

  const withoutWordPress = ({ files, tables }: typeof good) => ({
    files,
    tables: tables.split('\n').filter(line => !/wp_(options|usermeta)/.test(line)),
  })

  it('brings back only files, only the database, some paths or some tables', async () => {
    await shell(SPOIL)
    await restore({ parts: 'files', skipSafetyCopy: true })
    const { files, tables } = await contents()
    assert.equal(files, good.files)
    assert.match(tables, /added/)
    await restore({ tables: ['two'], skipSafetyCopy: true })
    assert.equal(await shell(MARIADB, 'select count(*) from two; select t from one'), '1\nspoiled\n')
    await shell(SPOIL)
    await restore({ paths: ['index.php', 'wp-content/uploads/odd/closed'], skipSafetyCopy: true })
    const odd = `${HTML}/wp-content/uploads/odd`
    assert.equal(
      await shell(`cat ${odd}/closed/file && stat -c '%a %u' ${odd}/closed ${odd}/closed/file`),
      'hidden700 70000\n0 70000\n',
    )
    assert.equal(
      await shell(`ls ${odd}/new && test ! -e ${odd}/two && head -c 5 ${HTML}/index.php`),
      `${odd}/new\n<?php`,
    )
    const page = await visit()
    assert.equal(page.status, 200)
    assert.match(page.text, /Spoiled/)
    const before = await contents()
    await restore({ parts: 'database', skipSafetyCopy: true })
    const after = await contents()
    assert.deepEqual(withoutWordPress(after).tables, withoutWordPress(good).tables)
    assert.equal(after.files, before.files)
    assert.equal(await leftovers(), '')
  })

  it('as a drill shows whether WordPress works from a backup, and leaves the site alone', async () => {
    const drill = async (id: string) => (await api().backupRestore({ params: { id }, body: { drill: true } })).job.id
    await assert.rejects(api().backupRestore({ params: { id: backupId }, body: { drill: true, parts: 'files' } }), {
      code: 'validation_error',
    })
    const before = await contents()
    await house.succeeded(await drill(backupId))
    assert.deepEqual(withoutWordPress(await contents()), withoutWordPress(before))
    await shell(`cp -p ${HTML}/index.php /tmp/index.php && echo '<?php broken' > ${HTML}/index.php`)
    const { job } = await api().backupCreate({ params, body: {} })
    const { backupId: broken } = (await house.succeeded(job.id)) as { backupId: string }
    await shell(`cp -p /tmp/index.php ${HTML}/index.php`)
    await assert.rejects(house.succeeded(await drill(broken)), /does not work from this backup: it returned status 500/)
    assert.equal(await leftovers(), '')
    assert.equal(await shell("docker ps -a --format '{{.Names}}' | grep drill || true"), '')
    await house.succeeded((await api().backupBulkDelete({ body: { ids: [broken] } })).job.id)
  })

  it('is refused when it makes no sense, and a table that is not there changes nothing', async () => {
    const asked = (body: Asked) => api().backupRestore({ params: { id: backupId }, body })
    await assert.rejects(asked({ paths: ['a'], tables: ['b'] }), { code: 'validation_error' })
    await assert.rejects(asked({ paths: ['a'], parts: 'database' }), { code: 'validation_error' })
    const before = await contents()
    const { job } = await asked({ tables: ['nowhere'], skipSafetyCopy: true })
    await assert.rejects(house.succeeded(job.id), /no table nowhere/)
    assert.deepEqual(withoutWordPress(await contents()), withoutWordPress(before))
    assert.equal(await leftovers(), '')
  })

  it('backup.restore: every file and row comes back, after a backup of what was there, or all stays as it was', async () => {
    let earlier = 0
    const look = async () => {
      const { status, text } = await visit()
      const backups = await listBackups(db(), { siteSlug: SLUG })
      return {
        contents: withoutWordPress(await contents()),
        page: { status, hasTitle: text.includes('By hand') },
        newBackups: backups.slice(0, backups.length - earlier).map(({ type }) => type),
        leftovers: await leftovers(),
      }
    }
    const seen: Awaited<ReturnType<typeof look>>[] = []
    await exerciseJob('sqlite', backupRestore, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      ...(SOAK ? {} : { failAt: DEEPEST }),
      look: async () => {
        const now = await look()
        seen.push(now)
        return now
      },
      prepare: async () => {
        await shell(SPOIL)
        await until('PHP reads the spoiled files', async () => (await visit()).status === 500, LIMIT_MS)
        earlier = (await listBackups(db(), { siteSlug: SLUG })).length
        const input = { slug: SLUG, serverId: house.ids[0] ?? 0, backupId, parts: 'all' as const }
        return { ...input, skipSafetyCopy: false, paths: [], tables: [] }
      },
    })
    const [spoiled, restored] = seen
    assert.deepEqual(spoiled?.page, { status: 500, hasTitle: false })
    assert.deepEqual(restored, {
      contents: withoutWordPress(good),
      page: { status: 200, hasTitle: true },
      newBackups: ['pre_restore'],
      leftovers: '',
    })
    if (!SOAK) return
    const safety = (await listBackups(db(), { siteSlug: SLUG })).findLast(({ type }) => type === 'pre_restore')
    const { job } = await api().backupRestore({ params: { id: safety?.id ?? '' }, body: { skipSafetyCopy: true } })
    await house.succeeded(job.id)
    assert.deepEqual(withoutWordPress(await contents()), spoiled?.contents)
  })

  describe('a site that is not complete on its server', () => {
    const input = (id: string) => {
      const place = { slug: SLUG, serverId: house.ids[0] ?? 0, backupId: id }
      return { ...place, parts: 'all' as const, skipSafetyCopy: false, paths: [], tables: [] }
    }
    const fails = async (job: Promise<{ job: { id: string } }>, message: RegExp) =>
      assert.rejects(house.succeeded((await job).job.id), message)
    const missing = async () => (await api().siteGet({ params })).missing
    const alerts = async () =>
      (await api().overview()).attention
        .filter(({ id }) => id === `site-missing:${SLUG}`)
        .map(({ action }) => action?.to)
    const look = async () => {
      const { status, missing: gone } = await api().siteGet({ params })
      const found = { status, gone, world: await lookAtSites(server), leftovers: await leftovers() }
      return gone === null ? { ...found, contents: withoutWordPress(await contents()) } : found
    }
    const lose = () => shell(loseSite(SLUG))

    it('because an import was cut off is not taken for the site, and comes back from a backup', async () => {
      await shell(MARIADB, UNLOADABLE)
      const { job } = await api().backupCreate({ params, body: {} })
      const { backupId: unloadable } = (await house.succeeded(job.id)) as { backupId: string }
      const asked = { ...input(unloadable), skipSafetyCopy: true }
      assert.equal((await runJob(house.panel, restoreAbandoned, asked, LIMIT_MS)).status, 'failed')
      assert.equal(await shell(MARIADB, COMMENT), 'fleetpress site unfinished\n')
      await fails(api().siteStart({ params }), /database of hello is missing or incomplete. Restore a backup of it/)
      assert.deepEqual([await missing(), await alerts()], ['database', [`/sites/${SLUG}/backups`]])
      await fails(api().backupCreate({ params, body: {} }), /is missing or incomplete/)
      await fails(api().backupRestore({ params: { id: backupId }, body: {} }), /files of hello are still there/)
      await restore({ parts: 'database' })
      assert.equal(await shell(MARIADB, COMMENT), 'fleetpress site\n')
      assert.deepEqual(withoutWordPress(await contents()).tables, withoutWordPress(good).tables)
      await house.succeeded((await api().siteStart({ params })).job.id)
      assert.deepEqual([await missing(), await alerts()], [null, []])
      await shell('rm -r /srv/fleetpress/backups/*/work-*')
    })

    it('because its server was lost says so once that is set up again. A restore brings all of it back, or leaves nothing', async () => {
      await lose()
      await house.succeeded((await api().serverReprovision({ params: { id: house.ids[0] ?? 0 } })).job.id)
      assert.deepEqual([await missing(), await alerts()], ['all', [`/sites/${SLUG}/backups`]])
      assert.equal((await visit()).status, 503)
      const before = await look()
      assert.deepEqual(
        before.world.filter(line => line.includes(SLUG) && !line.startsWith('./')),
        [],
      )
      const deepest = backupRestore.steps.findIndex(({ id }) => DEEPEST.includes(id))
      const failed = await runJob(house.panel, variant(`fails-${deepest}`), input(backupId), LIMIT_MS)
      assert.deepEqual([failed.error_code, await look()], ['planted_fault', before])
      const { status, error_message } = await runJob(house.panel, variant('twice'), input(backupId), LIMIT_MS)
      assert.equal(status, 'succeeded', error_message ?? '')
      assert.deepEqual(withoutWordPress(await contents()), withoutWordPress(good))
      assert.deepEqual([await missing(), (await visit()).status, await leftovers()], [null, 200, ''])
    })

    if (SOAK)
      it('backup.restore: all of it comes back, or nothing is there, wherever it fails', () =>
        exerciseJob('sqlite', backupRestore, {
          panel: house.panel,
          limitMs: LIMIT_MS,
          look,
          prepare: async () => {
            await lose()
            await fails(api().siteReconcile({ params }), /no longer on its server. Restore a backup of it/)
            return input(backupId)
          },
        }))
  })
})
