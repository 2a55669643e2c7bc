import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Vps } from '#test/fleet/vps.ts'
import { attackDatabase, DATABASE_ATTACKS } from '#test/support/database-attacks.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'

const SECONDS = 6
const STARTED = `docker inspect -f '{{.State.StartedAt}}' fleetpress-database fleetpress-database-proxy`
/** Threads of the database that get what others leave: their policy is 5. */
const LOWERED = `docker exec fleetpress-database bash -c 'cat /proc/1/task/*/stat' | awk '$41 == 5' | wc -l`
/** In one connection, which stays open while the list of sites changes. */
const LONG_QUERY = `docker exec -w /var/www/html fleetpress-site-neighbour wp db query 'SELECT SLEEP(8) + 42' --skip-column-names`

describe('a site that attacks the database of its server', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  const shell = async (text: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', text])
    assert.equal(exitCode, 0, `${text}\n${stdout}${stderr}`)
    return stdout
  }

  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    for (const slug of ['hostile', 'neighbour']) await house.create(slug)
  })
  after(() => house?.[Symbol.asyncDispose]())

  for (const [name, attack] of Object.entries(DATABASE_ATTACKS))
    it(`with ${name} keeps no visitor from its neighbour, and the panel from nothing`, async () => {
      const startedAt = await shell(STARTED)
      const over = new AbortController()
      const attacking = attackDatabase(server, 'hostile', attack, SECONDS).finally(() => over.abort())
      const statuses: string[] = []
      let lowered = 0
      while (!over.signal.aborted) {
        lowered = Math.max(lowered, Number(await shell(LOWERED)))
        statuses.push(
          await shell(
            `curl -s -m 20 -o /dev/null -w '%{http_code}' -H 'Host: neighbour.${server.name}.localhost' http://127.0.0.1/`,
          ),
        )
      }
      assert.deepEqual([...new Set(statuses)], ['200'])
      assert.equal(await shell(STARTED), startedAt, 'neither was restarted')
      const said = await attacking
      if (name === 'endless computations') assert.ok(lowered > 0, `${lowered} threads gave way`)
      if (name === 'connections that never sign in') assert.ok(Number(said[0]) >= 1 && Number(said[0]) <= 16, said[0])
    })

  it('sees its own socket and nothing else of the database', async () => {
    assert.equal(await shell('docker exec fleetpress-site-hostile ls -A /run/mysqld'), 'mysqld.sock\n')
    assert.equal(await shell('ls /srv/fleetpress/run/site-databases'), 'hostile\nneighbour\n')
  })

  it('loses no connection of others when sites come and go', async () => {
    const answer = shell(LONG_QUERY)
    await house.create('third')
    const { job } = await house.panel.as('full').siteDelete({ params: { slug: 'third' }, query: {} })
    await house.succeeded(job.id)
    assert.equal((await answer).trim(), '42')
    assert.equal(
      await shell('ls /srv/fleetpress/run/site-databases /srv/fleetpress/database-proxy | grep -c third || true'),
      '0\n',
    )
  })
})
