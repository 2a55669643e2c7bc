import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { listFiles } from '#drivers/rclone/rclone.ts'
import { isWhole } from '#drivers/restic/restic.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import { newId } from '#platform/db/id.ts'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { loseSite } from '#test/support/lose-site.ts'
import {
  allCopied,
  BACKUP_IMAGE,
  dropOnServer,
  fillUploads,
  HARM,
  HEAL,
  PARTIAL,
  plainConfig,
  SERVE_STORAGES,
} from '#test/support/offsite-storage.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { SOAK } from '#test/support/soak.ts'
import { startProxy } from '#test/support/tcp-proxy.ts'
import { backupFetch } from './copies/backup.fetch.ts'
import { repairThere } from './copies/repair-there.ts'
import { namedIn, verifyCopy } from './copies/verify-copy.ts'
import { getDestination } from './destinations/destination-store.ts'
import { type BothRepositories, withDestination } from './remote/open-storage.ts'

const SLUG = 'hello'
const params = { slug: SLUG }
const HTML = `/srv/fleetpress/sites/${SLUG}/html`
const REPOSITORY = `/srv/fleetpress/backups/${SLUG}/repository`
const SENTINEL = 'SentinelOfThePlainText'
const PASSWORD = 'it is "secret", 100%(really)s'
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEBwwoq1LRYZL00szyIzDBwF1MbSQAKepI9br0zcDR7A'
const LIMIT_MS = 10 * 60_000

const HARMS = SOAK ? 1000 : 3
const KINDS = ['flip', 'cut', 'delete'] as const

describe('offsite copies, with real storages', { timeout: SOAK ? 3 * 3_600_000 : 20 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  let id: string
  let passphrase: { password: string; salt: string }
  let first: string
  let second: string
  const api = () => house.panel.as('full')
  const db = () => house.panel.foundation.database.db
  const shell = async (script: string, input = '') => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script], { input })
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`)
    return stdout
  }
  const webdav = (port = 8091) => ({
    provider: 'webdav' as const,
    config: { url: `http://${server.address}:${port}`, user: 'ada' },
    secrets: { password: PASSWORD },
  })
  const sftp = () => ({
    provider: 'sftp' as const,
    config: { host: server.address, port: 8092, user: 'ada', path: 'by-sftp' },
    secrets: { password: PASSWORD },
  })
  const backUp = async () => {
    const { job } = await api().backupCreate({ params, body: {} })
    const { backupId } = (await house.succeeded(job.id)) as { backupId: string }
    await allCopied(house)
    return backupId
  }
  const copiesOf = async (backupId: string) =>
    (await api().siteBackupList({ params })).items.find(backup => backup.id === backupId)?.copies ?? []
  const statusOf = async (backupId: string) =>
    (await copiesOf(backupId)).map(({ destinationName, status }) => `${destinationName} ${status}`).toSorted()
  before(async () => {
    house = await siteHouse(1, { extraJobs: variantsOf(backupFetch) })
    server = house.servers[0] ?? assert.fail()
    await house.create(SLUG)
    await shell(fillUploads(HTML, SENTINEL))
    await shell(`read -r RCLONE_PASS && export RCLONE_PASS && ${SERVE_STORAGES}`, `${PASSWORD}\n`)
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('are tested before anything is saved: what is wrong is a check with a name', async () => {
    const tried = async (body: Parameters<ReturnType<typeof api>['destinationTry']>[0]['body']) => {
      const { ok, checks } = await api().destinationTry({ body })
      return [ok, checks.map(check => `${check.id} ${check.ok}`)]
    }
    await until(
      'the storages answer',
      async () => (await tried(webdav()))[0] === true && (await tried(sftp()))[0] === true,
      60_000,
    )
    assert.deepEqual(await tried(webdav()), [true, ['list true', 'write true', 'read true', 'delete true']])
    assert.deepEqual(await tried(sftp()), [true, ['list true', 'write true', 'read true', 'delete true']])
    assert.deepEqual(await tried({ ...webdav(), secrets: { password: 'wrong' } }), [false, ['list false']])
    const messageOf = async (body: Parameters<typeof tried>[0]) =>
      (await api().destinationTry({ body })).checks.at(-1)?.message ?? ''
    assert.match(await messageOf({ ...sftp(), secrets: { password: 'wrong' } }), /refused the login/)
    assert.match(await messageOf({ ...sftp(), config: { ...sftp().config, hostKey: OTHER_KEY } }), /another host key/)
    assert.deepEqual(await tried(webdav(8099)), [false, ['list false']])
    assert.deepEqual(await tried({ ...webdav(), provider: 'local', config: { path: '/srv/nowhere' }, secrets: {} }), [
      false,
      ['list false'],
    ])
    assert.equal(await shell('find /srv/storage -type f'), '')
  })

  it('are made of every new backup, encrypted, and hold nothing that can be read', async () => {
    const made = await api().destinationCreate({ body: { ...webdav(), name: 'WebDAV' } })
    passphrase = made.passphrase ?? assert.fail()
    id = made.id
    const other = await api().destinationCreate({ body: { ...sftp(), name: 'SFTP' } })
    assert.equal((await house.panel.as('manage').destinationTest({ params: { id }, body: {} })).ok, true)
    first = await backUp()
    assert.deepEqual(await statusOf(first), ['SFTP good', 'WebDAV good'])
    const trusted = (await api().destinationList()).items.find(one => one.id === other.id)?.config.hostKey
    assert.match(String(trusted), /^ecdsa-sha2-nistp256 /, 'the key of the first contact')
    const names = await shell('find /srv/storage | sort')
    assert.ok(names.split('\n').length > 10, names)
    for (const word of [SENTINEL, SLUG, 'snapshots', 'wp-content']) assert.ok(!names.includes(word), word)
    assert.equal(await shell(`grep -rlaE '${SENTINEL}|wp-content|snapshots' /srv/storage || true`), '')
    const bytes = () => shell('du -sb /srv/storage | cut -f 1').then(Number)
    const before = await bytes()
    await api().destinationUpdate({ params: { id: other.id }, body: { enabled: false } })
    second = await backUp()
    assert.deepEqual(await statusOf(second), ['WebDAV good'])
    assert.ok((await bytes()) - before < 1_000_000, 'what did not change is not sent again')
    const left = await shell('docker ps -a --format "{{.Names}}" | grep fleetpress-backup || true')
    assert.equal(left, '')
  })

  it('are fetched back and restored when the server has none, and nothing of the site either', async () => {
    await dropOnServer(house, [first])
    assert.equal((await api().siteBackupList({ params })).items.find(one => one.id === first)?.onServer, false)
    await assert.rejects(api().backupRestore({ params: { id: first }, body: {} }), { code: 'conflict' })
    const { job } = await api().backupFetch({ params: { id: first }, body: { destinationId: id } })
    await house.succeeded(job.id)
    await shell(loseSite(SLUG))
    await house.succeeded((await api().backupRestore({ params: { id: first }, body: {} })).job.id)
    assert.match(await shell(`head -n 1 ${HTML}/wp-content/uploads/${SENTINEL}/${SENTINEL}.txt`), new RegExp(SENTINEL))
  })

  it('backup.fetch: the whole backup is there, or nothing of it', () =>
    exerciseJob('sqlite', backupFetch, {
      panel: house.panel,
      limitMs: LIMIT_MS,
      failAt: ['download'],
      prepare: async () => {
        await dropOnServer(house, [first])
        return { slug: SLUG, serverId: house.ids[0] ?? 0, backupId: first, destinationId: id }
      },
      look: async () => ({
        isListed: (await api().siteBackupList({ params })).items.find(one => one.id === first)?.onServer,
        snapshots: (await shell(`ls ${REPOSITORY}/snapshots | wc -l`)).trim(),
        folders: await shell('ls /srv/fleetpress/backups/*'),
      }),
    }))

  /** On another machine, with nothing but the passphrase and the password of the storage. */
  const plainly = (script: string) => {
    const { password, salt } = passphrase
    const words = [password, salt, PASSWORD].map(word => `'${word}'`).join(' ')
    return shell(
      `docker run --rm -i --entrypoint bash ${BACKUP_IMAGE} -s ${words}`,
      `${plainConfig(server.address, id)}${script}`,
    )
  }

  it('are restored by plain rclone and restic with passphrase and credentials alone, as docs/disaster.md says', async () => {
    const said = await plainly(`rclone lsf offsite:
restic -r rclone:offsite:${SLUG} --insecure-no-password --no-cache restore --tag ${first} latest --target /tmp/out > /dev/null
head -n 1 /tmp/out/site/files/wp-content/uploads/${SENTINEL}/${SENTINEL}.txt
grep -c 'CREATE TABLE' /tmp/out/site/database/*wp_posts.sql`)
    assert.deepEqual(said.trim().split('\n'), [`${SLUG}/`, SENTINEL, '1'])
  })

  const atStorage = async (act: (both: BothRepositories) => Promise<void>) => {
    const scope = house.panel.world.scope(systemActor('test'))
    const work = { ...scope, jobId: newId(), signal: AbortSignal.timeout(3 * 3_600_000) }
    const place = { slug: SLUG, serverId: house.ids[0] ?? 0 }
    await withDestination(work, place, await getDestination(db(), id), act)
  }
  const copySecond = async () => {
    await db().updateTable('backup_copy').set({ status: 'failed' }).where('backup_id', '=', second).execute()
    return house.succeeded((await api().backupCopy({ params: { id: second } })).job.id)
  }

  it('on a connection that breaks are not taken for damaged, and nothing is deleted', async t => {
    const gateway = server.address.replace(/\d+$/, '1')
    const proxy = await startProxy(8091, { target: server.address, listen: gateway })
    const through = (url: string) =>
      api().destinationUpdate({ params: { id }, body: { config: { ...webdav().config, url } } })
    t.after(async () => {
      proxy.close()
      await through(webdav().config.url)
    })
    await through(`http://${gateway}:${proxy.port}`)
    const stored = async () =>
      (await shell(`cd /srv/storage/fleetpress-${id} && find . -type f | sort | xargs sha256sum`)).trim().split('\n')
    const before = await stored()
    // One file is really missing, but a request was lost on the way to it.
    const pack = `offsite:${SLUG}/data/$(rclone lsf -R --files-only --format sp offsite:${SLUG}/data | sort -n | tail -n 1 | cut -d ';' -f 2)`
    const path = (await plainly(`pack=${pack}; rclone moveto $pack offsite:aside; echo $pack`)).trim()
    proxy.cutAt('PUT ')
    await atStorage(async both => {
      await assert.rejects(repairThere(both, SLUG), { code: 'storage_unsteady' })
      assert.equal(await isWhole(both.there), false)
    })
    // Files that can be read, but not to their end, next to some that are really damaged.
    const harm = PARTIAL.map(one => `head -c 70000 /dev/urandom | rclone rcat offsite:${SLUG}/${one}`)
    await plainly([`rclone moveto offsite:aside ${path}`, ...harm].join('\n'))
    const harmed = await stored()
    assert.deepEqual(
      before.filter(line => !harmed.includes(line)),
      [],
    )
    proxy.cutAfter(400_000)
    await assert.rejects(copySecond(), /couldn't be read steadily/)
    assert.deepEqual(await stored(), harmed)
    assert.ok((await statusOf(second)).includes('WebDAV failed'))
    assert.deepEqual(await statusOf(first), ['SFTP good', 'WebDAV good'])
  })

  it('that broke off are complete after the next attempt, and of the first one nothing is left', async () => {
    await copySecond()
    const files = await plainly(`rclone lsf -R --files-only offsite:${SLUG}`)
    assert.deepEqual(
      PARTIAL.filter(path => files.includes(path)),
      [],
    )
    assert.ok((await statusOf(second)).includes('WebDAV good'))
    assert.deepEqual(await statusOf(first), ['SFTP good', 'WebDAV good'])
  })

  it('with a bit flipped, a file cut off or deleted are found out, every one', async t => {
    const folder = `/srv/storage/fleetpress-${id}`
    const words = (script: string, ...more: string[]) => server.exec(['bash', '-c', script, folder, ...more])
    const began = Date.now()
    await atStorage(async both => {
      const verify = async () => {
        await verifyCopy(both, { slug: SLUG, backupId: first, known: new Set() })
        const known = new Set(namedIn(await listFiles(both.storage, SLUG)))
        await verifyCopy(both, { slug: SLUG, backupId: second, known })
      }
      await verify()
      for (let at = 0; at < HARMS; at += 1) {
        const [file, position] = [randomInt(1_000_000), randomInt(100_000_000)]
        const kind = KINDS[at % KINDS.length] ?? 'flip'
        const { exitCode, stdout, stderr } = await words(HARM, String(file), String(position), kind)
        assert.equal(exitCode, 0, stderr)
        await assert.rejects(verify(), error => error instanceof KnownError, stdout)
        assert.equal((await words(HEAL)).exitCode, 0)
      }
      await verify()
    })
    t.diagnostic(`${HARMS} harms in ${Date.now() - began} ms`)
  })

  it('that are damaged are found when they are fetched, and another one still helps', async () => {
    await dropOnServer(house, [first, second])
    await shell(`file=$(find /srv/storage/fleetpress-${id} -type f -printf '%s %p\\n' | sort -n | tail -n 1 | cut -d ' ' -f 2)
printf 'not what was there' | dd of="$file" bs=1 seek=200000 conv=notrunc 2>/dev/null`)
    const { job } = await api().backupFetch({ params: { id: first }, body: { destinationId: id } })
    await assert.rejects(house.succeeded(job.id), /damaged or incomplete/)
    assert.deepEqual(await statusOf(first), ['SFTP good', 'WebDAV damaged'])
    await house.succeeded((await api().backupFetch({ params: { id: first }, body: {} })).job.id)
    assert.equal((await api().siteBackupList({ params })).items.find(one => one.id === first)?.onServer, true)
  })

  it('that are damaged are repaired when the backup is copied again', async () => {
    await house.succeeded((await api().backupCopy({ params: { id: first } })).job.id)
    assert.deepEqual(await statusOf(first), ['SFTP good', 'WebDAV good'])
    const [other] = await copiesOf(second)
    assert.deepEqual([other?.status, other?.copiedAt], ['damaged', null], 'it needed the same file')
    await dropOnServer(house, [first])
    await house.succeeded((await api().backupFetch({ params: { id: first }, body: { destinationId: id } })).job.id)
  })

  it('are deleted with their backups, or with their destination', async () => {
    const { job } = await api().destinationDelete({ params: { id }, query: { deleteRemote: 'true' } })
    await house.succeeded(job?.id ?? assert.fail())
    assert.equal(await shell(`find /srv/storage/fleetpress-${id} -type f 2>/dev/null || true`), '')
    assert.ok((await shell('find /srv/storage/by-sftp -type f | wc -l')).trim() !== '0')
    await house.succeeded((await api().backupBulkDelete({ body: { ids: [first] } })).job.id)
    // What was only at the destination that was removed went with it.
    assert.deepEqual((await api().backupIdList({ query: {} })).ids, [])
    assert.equal(await shell('find /srv/storage -type f'), '')
    assert.deepEqual(
      (await api().destinationList()).items.map(one => one.copies.good),
      [0],
    )
  })
})
