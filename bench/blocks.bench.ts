import { systemActor } from '#app/world.ts'
import { parseNetwork } from '#drivers/nftables/networks.ts'
import { type BlockRow, liftBlocks } from '#features/blocks/block-store.ts'
import { loadServer } from '#features/blocks/load/load-servers.ts'
import { keysOf } from '#features/blocks/network.ts'
import { newId } from '#platform/db/id.ts'
import { siteHouse } from '#test/support/site-house.ts'
import { median, report } from './report.ts'

const BLOCKS = 10_000
const ROUNDS = 5

await using house = await siteHouse(1)
const [serverId = 0] = house.ids
const [server] = house.servers
if (!server) throw new Error('there is no server')
const scope = () => house.panel.world.scope(systemActor('bench'))
const rows = Array.from({ length: BLOCKS }, (_, index): BlockRow => {
  const network = parseNetwork('bench', `100.${index >> 8}.${index & 255}.7`)
  const times = { created_at: Date.now(), expires_at: index % 2 ? Date.now() + 3_600_000 : null, lifted_at: null }
  const facts = {
    site_slug: null,
    note: '',
    source: 'admin',
    reason: null,
    created_by: 'bench',
    lifted_by: null,
  } as const
  return { id: newId(), address: network.text, ...keysOf(network), ...times, ...facts }
})
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
const load = () => loadServer(scope(), serverId)

const figures: Record<'all' | 'lift', number[]> = { all: [], lift: [] }
for (let round = 0; round < ROUNDS; round += 1) {
  const { db } = scope()
  await db.deleteFrom('address_block').execute()
  await load()
  for (let at = 0; at < BLOCKS; at += 500)
    await db
      .insertInto('address_block')
      .values(rows.slice(at, at + 500))
      .execute()
  figures.all.push(await timed(load))
  const [first] = rows
  figures.lift.push(
    await timed(async () => {
      await liftBlocks(db, [first?.id ?? ''], { by: 'bench', now: Date.now() })
      await load()
    }),
  )
}
const { stdout } = await server.exec(['nft', '-j', 'list', 'set', 'inet', 'fleetpress', 'blocked4'])
const found = stdout.match(/100\.\d+\.\d+\.7/g)?.length
if (found !== BLOCKS - 1) throw new Error(`the server has ${found} entries`)
report('blocks', [
  { name: `${BLOCKS} blocks loaded on a server`, unit: 'ms', ours: median(figures.all), limit: { atMost: 1000 } },
  { name: `one of ${BLOCKS} lifted`, unit: 'ms', ours: median(figures.lift), limit: { atMost: 1000 } },
])
