import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '#test/fleet/until.ts'
import { FtpClients } from '#test/support/ftp-clients.ts'
import { siteHouse } from '#test/support/site-house.ts'

const LIMIT_MS = 10 * 60_000

it('logins move along with their site', { timeout: 20 * 60_000 }, async () => {
  await using house = await siteHouse(2)
  using clients = new FtpClients()
  const [from, to] = house.servers
  assert.ok(from && to)
  const params = { slug: 'hello' }
  const api = house.panel.as('full')
  const applied = () => until('Applying', async () => (await api.siteFtp({ params })).applied, LIMIT_MS)
  await house.create(params.slug)
  const { password } = await api.ftpUserCreate({ params, body: { username: 'ada' } })
  await applied()
  const login = { username: 'ada', password: password ?? '' }
  const session = clients.openSftp({ ...login, address: from.address })
  const isOpen = async () => (await api.siteFtp({ params })).users[0]?.sessions === 1
  await until('Signing in', isOpen, LIMIT_MS)
  const { job } = await api.siteMove({ params, body: { targetServerId: house.ids[1] ?? 0 } })
  await house.succeeded(job.id)
  await applied()
  session.kill()
  const { endpoint, serverId, paused } = await api.siteFtp({ params })
  assert.deepEqual([endpoint?.host, serverId, paused], [to.address, house.ids[1], false])
  const onNew = await clients.sftp({ ...login, address: to.address }, 'ls wp-config.php')
  assert.equal(onNew.exitCode, 0, onNew.output)
  const containers = await from.exec(['docker', 'ps', '-a', '--format', '{{.Names}}'])
  assert.doesNotMatch(containers.stdout, /fleetpress-ftp/)
})
