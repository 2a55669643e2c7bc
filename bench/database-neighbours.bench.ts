import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { attackDatabase, DATABASE_ATTACKS } from '#test/support/database-attacks.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { type Figure, report } from './report.ts'

const SECONDS = 10
/** Starting its programs is what the bench does, not the site. */
const START_SECONDS = 3

await using house = await warmServer()
const [server] = house.servers
assert.ok(server)
await house.createTimed('hostile')
await house.settled()

/** As one visitor, one page after the other, for so long. All must be answered. */
const visit = async (): Promise<number> => {
  const said = await house.shell(`until=$((SECONDS + ${SECONDS})); while [ $SECONDS -lt $until ]; do
    curl -s -m 30 -o /dev/null -w '%{http_code} %{time_total}\\n' -H 'Host: first.${server.name}.localhost' http://127.0.0.1/
  done`)
  const pages = said
    .trim()
    .split('\n')
    .map(line => line.split(' '))
  assert.deepEqual([...new Set(pages.map(([status]) => status))], ['200'])
  const times = pages.map(([, seconds]) => Number(seconds) * 1000).toSorted((a, b) => a - b)
  return times[Math.floor(times.length * 0.95)] ?? Number.NaN
}

await visit()
const figures: Figure[] = []
for (const [name, attack] of Object.entries(DATABASE_ATTACKS)) {
  const alone = await visit()
  const attacking = attackDatabase(server, 'hostile', attack, START_SECONDS + SECONDS + 1)
  await sleep(START_SECONDS * 1000)
  const attacked = await visit()
  await attacking
  figures.push({
    name: `p95 of a site whose neighbour attacks with ${name}`,
    unit: 'ms',
    ours: attacked,
    peer: { name: 'alone', value: alone },
    limit: { atMost: 2 },
  })
}
report('database-neighbours', figures)
