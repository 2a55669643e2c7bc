import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Vps } from '#test/fleet/vps.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { ask } from '#test/support/move/visitors.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { listBackups } from './backup-store.ts'
import { backupCreate } from './create/backup.create.ts'
import { backupDelete } from './remove/backup.delete.ts'

const SLUG = 'hello'
const params = { slug: SLUG }
const HTML = `/srv/fleetpress/sites/${SLUG}/html`
const REPOSITORY = `/srv/fleetpress/backups/${SLUG}/repository`
const LIMIT_MS = 10 * 60_000

const MARIADB = 'docker exec -i --user root fleetpress-database mariadb --default-character-set=utf8mb4'
/**
 * Names of any byte, modes, links, holes, and a file that the site itself cannot read. Archives have times of whole seconds.
 * WordPress creates folders whenever its scheduled events run, so they do nothing here.
 */
const FILL = `set -e
echo '<?php' > ${HTML}/wp-cron.php
mkdir -p ${HTML}/wp-content/uploads/odd && cd ${HTML}/wp-content/uploads/odd
printf one > "$(printf 'a\\nb\\\\ "c" \\377\\001')"
printf two > two && ln two twin && ln -s ../../../../../../etc/passwd link && ln -s gone dangling
truncate -s 32M sparse && printf end >> sparse
head -c 3000000 /dev/urandom > noise
mkdir -m 000 closed && printf hidden > closed/file && chmod 000 closed/file
chown -hR 70000:70000 .. && chmod 4751 two
find ${HTML} -print0 | xargs -0 touch -h -d '2001-02-03 04:05:06'`
/** The size of a folder is the disk's own affair. */
const LIST = (folder: string) =>
  `cd ${folder} && find . -mindepth 1 -type d -printf '%P d %m %U %G %Ts\\0' -o -printf '%P %y %m %U %G %Ts %s %l\\0' | sort -z | tee >(grep -z odd >&2) | sha256sum; find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum`
const SQL = `create table one (id int auto_increment primary key, t longtext); create table two like one;
create view both_of as select one.id from one join two using (id);
create table \`odd \`\`name/..\` (b longblob); insert into \`odd \`\`name/..\` values (unhex('00ff0a275c'));
create trigger tr before insert on one for each row set new.t = upper(new.t);`
/** Each row of one is in two as well, at every moment that anyone can see. */
const WRITER = `yes "start transaction; insert into one (t) values ('é😀'); insert into two (t) values ('x'); commit; do sleep(0.002);" | timeout 60 ${MARIADB} wp_${SLUG}`

const COUNTS = `select count(*), sum(t = 'É😀') from one; select count(*) from two; select count(*) from both_of;
select hex(b) from \`odd \`\`name/..\`; drop database checked;`

describe('backups, on a real server', { timeout: 15 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  let hostname: string
  const api = () => house.panel.as('full')
  const shell = async (script: string, input = '') => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script], { input })
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  /** What is odd comes first, so that a difference shows. */
  const listed = async (folder: string) => {
    const { stdout, stderr } = await server.exec(['bash', '-c', LIST(folder)])
    return [...stderr.split('\0'), stdout]
  }
  const backUp = async (note?: string) => {
    const { job } = await api().backupCreate({ params, body: note === undefined ? {} : { note } })
    return (await house.succeeded(job.id)) as { backupId: string; sizeBytes: number; addedBytes: number }
  }
  const rows = () => listBackups(house.panel.foundation.database.db, { siteSlug: SLUG })
  const restic = (words: string) =>
    shell(
      `docker run --rm --network none --entrypoint restic -v ${REPOSITORY}:/r:ro $(docker images -q fleetpress/backup | head -n 1) -r /r --no-lock --no-cache --insecure-no-password ${words}`,
    )
  /** What a panel that was killed could leave behind, and what there should be. */
  const look = async () => ({
    backups: (await rows()).map(({ type, note }) => [type, note]),
    snapshots: await restic('snapshots --json | grep -o \'"id"\' | wc -l').catch(() => 'none'),
    folders: await shell(
      'cd /srv/fleetpress/backups && find . -maxdepth 2 -not -name "work-*" | sort; ls -d */work-* 2>/dev/null || true',
    ),
    containers: await shell('docker ps -a --format "{{.Names}}" | grep fleetpress-backup || true'),
  })

  before(async () => {
    house = await siteHouse(1, { extraJobs: [...variantsOf(backupCreate), ...variantsOf(backupDelete)] })
    server = house.servers[0] ?? assert.fail()
    hostname = `${SLUG}.${server.name}.localhost`
    await house.create(SLUG)
    await shell(FILL)
    await shell(`${MARIADB} wp_${SLUG}`, SQL)
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('hold every file as it is, and one moment of a database that is written to, while the site responds', async t => {
    const before = await listed(HTML)
    const writing = server.exec(['bash', '-c', WRITER])
    await sleep(500)
    const done = new AbortController()
    const statuses: number[] = []
    const visiting = (async () => {
      while (!done.signal.aborted) {
        statuses.push((await ask({ address: server.address, hostname, path: '/' })).status)
        await sleep(100)
      }
    })()
    const made = await backUp('By hand').finally(() => done.abort())
    await visiting
    await shell('pkill -x yes || true')
    await writing
    assert.ok(statuses.length > 3 && statuses.every(status => status === 200), statuses.join(' '))
    const [row] = await rows()
    assert.deepEqual([row?.id, row?.type, row?.note], [made.backupId, 'manual', 'By hand'])
    assert.ok(made.sizeBytes > 36_000_000 && made.addedBytes < 40_000_000, JSON.stringify(made))
    t.diagnostic(JSON.stringify(made))

    const headers = { authorization: `Bearer ${house.panel.token.manage}` }
    const answer = await house.panel.server.inject({
      url: `/api/backups/${made.backupId}/download`,
      headers: { ...headers, host: `localhost:${house.panel.config.port}` },
    })
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-disposition']), /hello-\d{4}-\d\d-\d\dT\d{4}\.tar/)
    await server.exec(['bash', '-c', 'mkdir -p /srv/out && tar -xpf - -C /srv/out'], { input: answer.rawPayload })
    assert.deepEqual(await listed('/srv/out/files'), before)
    assert.equal(JSON.parse(await shell('cat /srv/out/site.json')).slug, SLUG)

    const names = await shell('ls /srv/out/database')
    assert.match(names, /^00000-begin\.sql\n/)
    for (const name of ['one', 'two', 'wp_posts', 'odd_', 'both_of'])
      assert.match(names, new RegExp(`^\\d{5}-${name}`, 'm'))
    await shell(`${MARIADB} -e "create database checked" && cat /srv/out/database/*.sql | ${MARIADB} checked`)
    const counts = await shell(`${MARIADB} -N checked`, COUNTS)
    const [one, ...others] = counts.trim().split(/\s+/)
    assert.ok(Number(one) > 50, counts)
    assert.deepEqual(others, [one, one, one, '00FF0A275C'])
  })

  it('cost almost nothing when nothing changed, and are left alone by those that come later', async () => {
    await backUp()
    const { addedBytes, sizeBytes } = await backUp()
    assert.ok(addedBytes < 100_000 && sizeBytes > 36_000_000, `${addedBytes} of ${sizeBytes}`)
    await restic('check --read-data')
  })

  it('backup.create: a whole backup, or nothing of one', () =>
    exerciseJob('sqlite', backupCreate, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      ...(SOAK ? {} : { failAt: ['record-backup'] }),
      look,
      prepare: async panel => {
        const extra = (await rows()).filter(({ note }) => note === 'exercise').map(({ id }) => id)
        if (extra.length > 0)
          await house.succeeded((await panel.as('full').backupBulkDelete({ body: { ids: extra } })).job.id)
        return { slug: SLUG, serverId: house.ids[0] ?? 0, type: 'manual' as const, note: 'exercise' }
      },
    }))

  it('are refused before anything is written when the disk has no room', async () => {
    const before = await look()
    await shell('fallocate -l $(($(df -B1 --output=avail /srv | tail -n 1) - 1000000000)) /srv/filled')
    try {
      const { job } = await api().backupCreate({ params, body: {} })
      await assert.rejects(house.succeeded(job.id), /MiB left/)
    } finally {
      await shell('rm -f /srv/filled')
    }
    assert.deepEqual(await look(), before)
  })

  it('that are being read are left alone and named; others are deleted with their data', async () => {
    const [newest, ...older] = await rows()
    assert.ok(newest && older.length > 0)
    await shell(
      `docker run -d --name fleetpress-backup-${SLUG}-reader --label fleetpress.backup=${SLUG} --network none $(docker images -q fleetpress/backup | head -n 1)`,
    )
    const ids = older.map(({ id }) => id)
    const { job } = await api().backupBulkDelete({ body: { ids } })
    assert.deepEqual(await house.succeeded(job.id), { deleted: 0, left: ids.toSorted() })
    const { logs } = await api().jobGet({ params: { id: job.id }, query: {} })
    assert.ok(logs.some(({ text }) => /In use, so left alone: hello of/.test(text)))
    await shell(`docker rm -f fleetpress-backup-${SLUG}-reader`)
    await house.succeeded((await api().backupBulkDelete({ body: { ids } })).job.id)
    assert.deepEqual(
      (await rows()).map(({ id }) => id),
      [newest.id],
    )
    await restic('check --read-data')
    await house.succeeded((await api().backupBulkDelete({ body: { ids: [newest.id] } })).job.id)
    assert.equal(await shell('ls /srv/fleetpress/backups'), '')
  })
})
