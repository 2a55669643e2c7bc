import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ensureStackDisk } from '#test/support/stack-disk.ts'
import { leaseFrom, startPool } from './pool.ts'
import type { Vps } from './vps.ts'

/** As a site and a panel leave them, and as no test should. */
const LEFT = `image=$(docker inspect -f '{{.Config.Image}}' fleetpress-database)
docker network create left
docker run --detach --name=left --network=left --entrypoint=sleep "$image" infinity
docker exec --user root fleetpress-database mariadb -e "create database wp_left; create user 'wp_left'@'%'"
mkdir -p '/srv/fleetpress/sites/left over/files' /srv/elsewhere
echo changed > /srv/fleetpress/edge/current/nginx.conf
echo '{}' > /srv/fleetpress/edge/logs/access.json.1`

const SEEN = `docker ps -a --format '{{.Names}}' | sort
docker network ls -q | wc -l
ls -A /srv /srv/fleetpress/sites /srv/fleetpress/edge/logs ~
docker exec --user root fleetpress-database mariadb -N -e "show databases; select user from mysql.user order by 1"
cat /srv/fleetpress/edge/current/nginx.conf`

describe('servers of a pool', { timeout: 10 * 60_000 }, () => {
  let pool: Awaited<ReturnType<typeof startPool>>
  let kept = ''
  const lease = (count: number) => leaseFrom(pool.folder, count, kept)
  const shell = async (server: Vps | undefined, text: string): Promise<string> => {
    const { exitCode, stdout, stderr } = (await server?.exec(['bash', '-euc', text])) ?? assert.fail()
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  const idOf = (server: Vps | undefined) => shell(server, 'cat /etc/machine-id')

  before(async () => {
    kept = await ensureStackDisk()
    pool = await startPool()
  })
  after(() => pool?.stop())

  it('belong to one test at a time, and reach each other', async () => {
    await using one = await lease(1)
    await using two = await lease(1)
    const [first, second] = [one.servers[0], two.servers[0]]
    assert.notEqual(await idOf(first), await idOf(second))
    await shell(first, `curl -sS -o /dev/null http://${second?.address}/`)
  })

  it('come back clean, whatever was left on them', async () => {
    const seen: string[] = []
    const ids = new Set<string>()
    for (let round = 0; round < 2; round += 1) {
      await using fleet = await lease(2)
      for (const server of fleet.servers) {
        ids.add(await idOf(server))
        seen.push(await shell(server, SEEN))
        await server.authorize('ssh-ed25519 AAAA left')
        await shell(server, LEFT)
      }
    }
    assert.equal(ids.size, 2, 'the same two servers')
    assert.deepEqual(seen.slice(2), seen.slice(0, 2))
    assert.match(seen[0] ?? '', /^fleetpress-database\nfleetpress-database-proxy\nfleetpress-edge\nfleetpress-relay\n/)
  })

  it('are deleted when something stays behind', async () => {
    const ids: string[] = []
    for (let round = 0; round < 2; round += 1) {
      await using fleet = await lease(1)
      ids.push(await idOf(fleet.servers[0]))
      if (round === 0) await shell(fleet.servers[0], 'useradd stranger')
    }
    assert.notEqual(ids[1], ids[0])
  })
})
