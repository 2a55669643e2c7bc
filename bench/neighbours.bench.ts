import assert from 'node:assert/strict'
import { attack, BOUNDED, limitWatches, measure } from '#test/support/hostile.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { type Figure, report } from './report.ts'

/** Below this a difference says nothing. */
const FLOOR_MS = 50

await using house = await warmServer()
const [server] = house.servers
assert.ok(server)
await using restored = new AsyncDisposableStack()
restored.use(await limitWatches(server))
await house.createTimed('hostile')
await house.settled()

const visit = async (): Promise<number> => {
  const { p95Ms, others } = await measure(server.address, `first.${server.name}.localhost`)
  assert.deepEqual(others, [])
  return Math.max(p95Ms, FLOOR_MS)
}

await visit()
const figures: Figure[] = []
for (const name of BOUNDED) {
  const alone = await visit()
  const attacking = await attack(server, 'hostile', name)
  const attacked = await visit()
  await attacking.stop()
  figures.push({
    name: `p95 of a site whose neighbour attacks with ${name}`,
    unit: 'ms',
    ours: attacked,
    peer: { name: 'alone', value: alone },
    limit: { atMost: 2 },
  })
}
report('neighbours', figures)
