import assert from 'node:assert/strict'
import { systemActor } from '#app/world.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { getSite } from '#features/sites/site-store.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { readInventory } from '#features/wordpress/inventory/read-inventory.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { median, report } from './report.ts'

const ROUNDS = 30
const SLUG = 'first'
const WORDS = ['wp', 'plugin', 'list', '--field=file', '--format=json', '--skip-update-check'] as const

await using house = await warmServer()
const scope = house.panel.world.scope(systemActor('bench'))
const site = await getSite(scope.db, SLUG)
const host = scope.hosts.get(house.serverId)

const takenMs = async (list: () => Promise<string[]>): Promise<number> => {
  const began = performance.now()
  const found = await list()
  const taken = performance.now() - began
  assert.ok(found.includes('fleetpress.php'), JSON.stringify(found))
  return taken
}
const byFastcgi = async () => (await readInventory(scope, site)).plugins.map(({ file }) => file)
const byCommand = async () => {
  const { stdout } = await execIn(dockerOf(host), `fleetpress-site-${SLUG}`, WORDS)
  return JSON.parse(stdout) as string[]
}

const [ours, theirs]: [number[], number[]] = [[], []]
for (let round = 0; round < ROUNDS; round += 1) {
  ours.push(await takenMs(byFastcgi))
  theirs.push(await takenMs(byCommand))
}
report('fastcgi', [
  {
    name: 'the inventory of a site on a server',
    unit: 'ms',
    ours: median(ours),
    peer: { name: 'wp plugin list by docker exec', value: median(theirs) },
    limit: { atMost: 0.5 },
  },
])
