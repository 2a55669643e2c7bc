import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { backupDelete } from '#features/backups/remove/backup.delete.ts'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { runJob } from '#test/support/job-kit.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { type Swift, startSwift } from '#test/support/swift.ts'

const SLUG = 'hello'
const params = { slug: SLUG }
const HTML = `/srv/fleetpress/sites/${SLUG}/html`
const SENTINEL = 'SentinelOfThePlainText'
const BUCKET = 'copies'
const LIMIT_MS = 10 * 60_000
const IMAGE = '$(docker images -q fleetpress/backup | head -n 1)'
/** More than one part of an upload, and more than one file of a repository. */
const FILL = `mkdir -p ${HTML}/wp-content/uploads/${SENTINEL} && cd ${HTML}/wp-content/uploads/${SENTINEL}
for n in $(seq 2000); do echo ${SENTINEL}; done > ${SENTINEL}.txt
head -c 40000000 /dev/urandom > noise && chown -R 70000:70000 .`

describe('offsite copies, with a real S3-compatible storage', { timeout: 20 * 60_000 }, () => {
  let swift: Swift
  let house: SiteHouse
  let server: Vps
  let id: string
  let passphrase = { password: '', salt: '' }
  let backupId: string
  const api = () => house.panel.as('full')
  const endpoint = () => `http://${server.address.replace(/\d+$/, '1')}:${swift.port}`
  const storage = () => ({
    provider: 's3' as const,
    config: {
      endpoint: endpoint(),
      region: 'us-east-1',
      bucket: BUCKET,
      path: 'sites',
      accessKeyId: swift.accessKeyId,
    },
    secrets: { secretAccessKey: swift.secretAccessKey },
  })
  /** On another machine, with nothing but the credentials and the passphrase; as docs/disaster.md has it. */
  const plainly = async (script: string) => {
    const { password, salt } = passphrase
    const words = [password, salt, swift.secretAccessKey].map(word => `'${word}'`).join(' ')
    const config = `set -e
cat > /tmp/rclone.conf <<END
[storage]
type = s3
provider = Other
endpoint = ${endpoint()}
region = us-east-1
access_key_id = ${swift.accessKeyId}
secret_access_key = $3

[offsite]
type = crypt
remote = storage:${BUCKET}/sites/fleetpress-${id}
password = $(printf %s "$1" | rclone obscure -)
password2 = $(printf %s "$2" | rclone obscure -)
END
export RCLONE_CONFIG=/tmp/rclone.conf\n`
    return shell(`docker run --rm -i --entrypoint bash ${IMAGE} -s ${words}`, `${config}${script}`)
  }
  const shell = async (script: string, input = '') => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script], { input })
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`)
    return stdout
  }
  const copyOf = async () => (await api().siteBackupList({ params })).items.find(one => one.id === backupId)?.copies[0]

  before(async () => {
    swift = await startSwift()
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    await house.create(SLUG)
    await shell(FILL)
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    await swift?.stop()
  })

  it('are refused with the reason: a bucket that is not there, a key that is wrong', async () => {
    const messageOf = async (body: ReturnType<typeof storage>) =>
      (await api().destinationTry({ body })).checks.at(-1)?.message ?? ''
    assert.match(await messageOf(storage()), /no such bucket/)
    await plainly(`rclone mkdir storage:${BUCKET}`)
    const wrong = { ...storage(), secrets: { secretAccessKey: 'wrong' } }
    assert.match(await messageOf(wrong), /refused the login/)
    const { checks } = await api().destinationTry({ body: storage() })
    assert.deepEqual(
      checks.map(check => `${check.id} ${check.ok}`),
      ['list true', 'write true', 'read true', 'delete true'],
    )
  })

  it('are made of a new backup, and neither objects nor names hold anything that can be read', async () => {
    const made = await api().destinationCreate({ body: { ...storage(), name: 'S3' } })
    passphrase = made.passphrase ?? assert.fail()
    id = made.id
    const { job } = await api().backupCreate({ params, body: {} })
    backupId = ((await house.succeeded(job.id)) as { backupId: string }).backupId
    const isCopied = async () => ['good', 'failed'].includes((await copyOf())?.status ?? '')
    await until('Copying the backup', isCopied, LIMIT_MS)
    assert.equal((await copyOf())?.status, 'good')
    const names = await plainly(`rclone lsf -R storage:${BUCKET}`)
    assert.ok(names.split('\n').length > 8, names)
    for (const word of [SENTINEL, SLUG, 'snapshots', 'wp-content']) assert.ok(!names.includes(word), word)
    const found = await plainly(
      `rclone copy storage:${BUCKET} /tmp/raw && { grep -rlaE '${SENTINEL}|wp-content|snapshots' /tmp/raw || true; }`,
    )
    assert.equal(found, '')
  })

  it('are restored by plain rclone and restic with passphrase and credentials alone, as docs/disaster.md says', async () => {
    const said = await plainly(`rclone lsf offsite:
restic -r rclone:offsite:${SLUG} --insecure-no-password --no-cache restore latest --target /tmp/out > /dev/null
head -n 1 /tmp/out/site/files/wp-content/uploads/${SENTINEL}/${SENTINEL}.txt
grep -c 'CREATE TABLE' /tmp/out/site/database/*wp_posts.sql`)
    assert.deepEqual(said.trim().split('\n'), [`${SLUG}/`, SENTINEL, '1'])
  })

  it('are fetched back, and deleted with their destination', async () => {
    const input = { ids: [backupId], serverIds: [house.ids[0] ?? 0], keepCopies: true }
    assert.equal((await runJob(house.panel, backupDelete, input, LIMIT_MS)).status, 'succeeded')
    await house.succeeded((await api().backupFetch({ params: { id: backupId }, body: {} })).job.id)
    assert.equal((await api().siteBackupList({ params })).items[0]?.onServer, true)
    const { job } = await api().destinationDelete({ params: { id }, query: { deleteRemote: 'true' } })
    await house.succeeded(job?.id ?? assert.fail())
    assert.equal(await plainly(`rclone lsf -R --files-only storage:${BUCKET}`), '')
  })
})
