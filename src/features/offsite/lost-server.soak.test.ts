import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TERMINAL } from '#platform/contract/job.ts'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { shellOn } from '#test/support/fault-house.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { ask } from '#test/support/move/visitors.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'

const SLUG = 'hello'
const params = { slug: SLUG }
const LIMIT_MS = 10 * 60_000
const PASSWORD = 'a password of the storage'
const UPLOAD = 'wp-content/uploads/photo.txt'
const IN_SITE = `docker exec fleetpress-site-${SLUG}`
const SERVE = `mkdir -p /srv/storage && docker run -d --name storage --network host -v /srv/storage:/storage \
  --entrypoint rclone $(docker images -q fleetpress/backup | head -n 1) serve webdav --addr :8091 --user ada --pass '${PASSWORD}' /storage`
/** All that a provider leaves who installs the machine again: its address, and the key that the owner put there. */
const REINSTALL = `set -e
docker ps -aq | xargs -r docker rm -f -v; docker network prune -f; docker image prune -af
rm -rf /srv/fleetpress; rm /etc/ssh/ssh_host_*
for kind in ecdsa ed25519; do ssh-keygen -q -N '' -t $kind -f /etc/ssh/ssh_host_\${kind}_key; done`

describe('a server that is lost', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  let storage: Vps
  const api = () => house.panel.as('full')
  const visit = () => ask({ address: server.address, hostname: `${SLUG}.${server.name}.localhost`, path: '/' })

  before(async () => {
    house = await siteHouse(2, {}, ownServers)
    server = house.servers[0] ?? assert.fail()
    storage = house.servers[1] ?? assert.fail()
    await house.create(SLUG)
    await shellOn(storage)(SERVE)
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('is replaced by a new machine, and its sites come back from their offsite copies, as docs/disaster.md says', async () => {
    await shellOn(server)(`${IN_SITE} wp option update blogname 'Before the fire'`)
    await shellOn(server)(`${IN_SITE} sh -c 'mkdir -p wp-content/uploads && echo a photo > ${UPLOAD}'`)
    const config = { url: `http://${storage.address}:8091`, user: 'ada' }
    const access = { provider: 'webdav' as const, config, secrets: { password: PASSWORD } }
    await until('the storage answers', async () => (await api().destinationTry({ body: access })).ok, LIMIT_MS)
    await api().destinationCreate({ body: { name: 'Storage', ...access } })
    await house.succeeded((await api().backupCreate({ params, body: {} })).job.id)
    const newest = async () => (await api().siteBackupList({ params })).items[0] ?? assert.fail()
    await until('the copy is made', async () => (await newest()).copies[0]?.status === 'good', LIMIT_MS)

    await shellOn(server)(REINSTALL)
    await server.restartSshd()

    const id = house.ids[0] ?? 0
    await api().serverUpdate({ params: { id }, body: { retrustHostKey: true } })
    await house.succeeded((await api().serverReprovision({ params: { id } })).job.id)
    assert.equal((await api().siteGet({ params })).missing, 'all')
    await assert.rejects(reconciled(), /Restore a backup of it/)
    const backup = await newest()
    await house.succeeded((await api().backupFetch({ params: { id: backup.id }, body: {} })).job.id)
    await house.succeeded((await api().backupRestore({ params: { id: backup.id }, body: {} })).job.id)

    const { status, text } = await visit()
    assert.equal(status, 200)
    assert.match(text, /Before the fire/)
    assert.equal((await shellOn(server)(`${IN_SITE} cat ${UPLOAD}`)).trim(), 'a photo')
    await house.succeeded((await api().backupCreate({ params, body: {} })).job.id)
  })

  /** The panel may have begun to do so by itself. */
  const reconciled = async () => {
    const { items } = await api().jobList({ query: { type: 'site.reconcile', limit: 1 } })
    const [running] = items.filter(({ status }) => !TERMINAL.includes(status))
    await house.succeeded((running ?? (await api().siteReconcile({ params })).job).id)
  }
})
