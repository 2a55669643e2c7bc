import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { parseNetwork } from '#drivers/nftables/networks.ts'
import { newId } from '#platform/db/id.ts'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'
import { type BlockRow, deleteBlocksOfSite, listActiveBlocks } from './block-store.ts'
import { detectionOf } from './detection/detector.ts'
import { firewallOverview } from './load/firewall-overview.ts'
import { keepLoaded, repairDrift } from './load/keep-loaded.ts'
import { loadServer } from './load/load-servers.ts'
import { keysOf } from './network.ts'

/** Two machines next to the server, with addresses of both families. */
const VISITORS = { attacker: 2, customer: 3 } as const
type VisitorName = keyof typeof VISITORS

const PLUG_IN = `set -e
for visitor in attacker:2 customer:3; do
  name=\${visitor%:*} n=\${visitor#*:}
  ip netns add $name
  ip link add fp$name type veth peer name eth0 netns $name
  sysctl -q -w net.ipv6.conf.fp$name.disable_ipv6=0 net.ipv6.conf.fp$name.accept_dad=0
  ip addr add 198.51.$n.1/24 dev fp$name
  ip -6 addr add 2001:db8:$n::1/64 dev fp$name nodad
  ip link set fp$name up
  ip netns exec $name sysctl -q -w net.ipv6.conf.eth0.disable_ipv6=0 net.ipv6.conf.eth0.accept_dad=0
  ip -n $name addr add 198.51.$n.2/24 dev eth0
  ip -n $name -6 addr add 2001:db8:$n::2/64 dev eth0 nodad
  ip -n $name link set eth0 up
done`
const UNPLUG = 'for name in attacker customer; do ip netns del $name; ip link del fp$name; done; true'

/** Prints the status, or nothing when no one answers. Words: address, then the request. */
const ASK = `exec 3<> "/dev/tcp/$0/80" && printf '%s' "$1" >&3 && head -n 1 <&3 | cut -d ' ' -f 2`

interface Asked {
  readonly host?: string
  readonly family?: 4 | 6
  readonly headers?: readonly string[]
  readonly form?: string
  readonly path?: string
}

describe('blocked addresses on a server', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  let serverId: number
  let hostname: string
  const full = () => house.panel.as('full')
  const scope = () => house.panel.world.scope(systemActor('test'))

  const ask = async (visitor: VisitorName, asked: Asked = {}): Promise<string> => {
    const { host = hostname, family = 4, headers = [], form, path = '/' } = asked
    const address = family === 4 ? `198.51.${VISITORS[visitor]}.1` : `2001:db8:${VISITORS[visitor]}::1`
    const body =
      form === undefined ? [] : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`]
    const lines = [`${form === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close']
    const request = `${[...lines, ...headers, ...body].join('\r\n')}\r\n\r\n${form ?? ''}`
    const words = ['ip', 'netns', 'exec', visitor, 'timeout', '20', 'bash', '-c', ASK, address, request]
    return (await server.exec(words)).stdout.trim()
  }
  /** Whether packets arrive at all, without waiting long for what never comes. */
  const reaches = async (visitor: VisitorName, family: 4 | 6): Promise<boolean> => {
    const address = family === 4 ? `198.51.${VISITORS[visitor]}.1` : `2001:db8:${VISITORS[visitor]}::1`
    const words = ['ip', 'netns', 'exec', visitor, 'timeout', '3', 'bash', '-c', ': < "/dev/tcp/$0/80"', address]
    return (await server.exec(words)).exitCode === 0
  }
  const block = (body: Parameters<ReturnType<typeof full>['securityBlockCreate']>[0]['body']) =>
    full().securityBlockCreate({ body })
  const lift = (id: string) => full().securityBlockLift({ params: { id } })
  /** Not through the API, which may not be asked as often as a test waits. */
  const firewall = async () =>
    (await firewallOverview(scope())).items.find(item => item.serverId === serverId) ?? assert.fail()
  const soon = (what: string, isSo: () => Promise<boolean>) => until(what, isSo, 60_000)
  const isLoaded = () => soon('loading the list', async () => (await firewall()).isCurrent)

  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    serverId = house.ids[0] ?? assert.fail()
    hostname = new URL((await house.create('shop')).url).hostname
    const { exitCode, stderr } = await server.exec(['bash', '-c', PLUG_IN])
    assert.equal(exitCode, 0, stderr)
    for (const family of [4, 6] as const) assert.equal(await ask('attacker', { family }), '200')
  })
  after(async () => {
    await server?.exec(['bash', '-c', UNPLUG])
    await house?.[Symbol.asyncDispose]()
  })

  for (const [family, address] of [
    [4, '198.51.2.2'],
    [6, '2001:db8:2::/64'],
  ] as const)
    it(`drop packets over IPv${family} until they are lifted`, async () => {
      const { id } = await block({ address, minutes: 60 })
      await isLoaded()
      assert.deepEqual([await reaches('attacker', family), await reaches('customer', family)], [false, true])
      assert.equal(await reaches('attacker', family === 4 ? 6 : 4), true, 'the other family')
      const { state, networkEntries, edgeEntries } = await firewall()
      assert.deepEqual([state, networkEntries, edgeEntries], ['network', 1, 0])
      await lift(id)
      await isLoaded()
      assert.equal(await ask('attacker', { family }), '200')
    })

  it('are refused by the edge when they are blocked for one site', async () => {
    await block({ address: '198.51.2.0/24', siteSlug: 'shop' })
    await isLoaded()
    assert.deepEqual([await ask('attacker'), await ask('customer')], ['403', '200'])
    assert.equal(await ask('attacker', { host: 'nowhere.localhost' }), '421', 'the server itself responds')
    assert.equal(await ask('attacker', { headers: ['X-Forwarded-For: 198.51.3.2'] }), '403')
    const { networkEntries, edgeEntries } = await firewall()
    assert.deepEqual([networkEntries, edgeEntries], [0, 1])
    await deleteBlocksOfSite(scope().db, 'shop')
    await full().securityFirewallSync()
    assert.equal(await ask('attacker'), '200')
  })

  it('are refused by the edge behind a trusted proxy, and no one else is believed', async () => {
    const settings = scope().settings
    await settings.change({ edge: { trustedProxies: ['198.51.3.2'] } })
    const { id } = await block({ address: '203.0.113.99' })
    await isLoaded()
    const from = (visitor: VisitorName, address: string) => ask(visitor, { headers: [`X-Forwarded-For: ${address}`] })
    assert.equal(await from('customer', '203.0.113.99'), '403')
    assert.equal(await from('customer', '203.0.113.98'), '200')
    assert.equal(await from('attacker', '203.0.113.99'), '200', 'anyone can send this header')
    await assert.rejects(block({ address: '198.51.3.0/24' }), { code: 'conflict' })
    await lift(id)
    await isLoaded()
    assert.equal(await from('customer', '203.0.113.99'), '200')
    await settings.change({ edge: { trustedProxies: [] } })
    await full().securityFirewallSync()
  })

  it('are loaded ten thousand at once, again after they were lost, and when the server was unreachable', async context => {
    const { db } = scope()
    const rows = Array.from({ length: 10_000 }, (_, index): BlockRow => {
      const network = parseNetwork('test', `100.${index >> 8}.${index & 255}.7`)
      const times = { created_at: Date.now(), expires_at: index % 2 ? Date.now() + 3_600_000 : null, lifted_at: null }
      const facts = {
        site_slug: null,
        note: '',
        source: 'admin',
        reason: null,
        created_by: 'test',
        lifted_by: null,
      } as const
      return { id: newId(), address: network.text, ...keysOf(network), ...times, ...facts }
    })
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto('address_block')
        .values(rows.slice(at, at + 500))
        .execute()
    const startedAt = performance.now()
    await loadServer(scope(), serverId)
    context.diagnostic(`10,000 blocks loaded in ${Math.round(performance.now() - startedAt)} ms`)
    await isLoaded()
    const COUNT = 'nft -j list set inet fleetpress blocked4 | grep -o "100[.][0-9.]*" | wc -l'
    const found = async () => Number((await server.exec(['bash', '-c', COUNT])).stdout)
    assert.deepEqual([await found(), (await firewall()).networkEntries], [10_000, 10_000])
    await server.exec(['nft', 'flush', 'set', 'inet', 'fleetpress', 'blocked4'])
    await repairDrift(scope(), serverId)
    assert.equal(await found(), 10_000)
    assert.notEqual((await firewall()).driftFoundAt, null)
    await server.cutOff()
    await db.deleteFrom('address_block').where('note', '=', '').execute()
    await block({ address: '198.51.2.2', minutes: 60 })
    assert.equal((await firewall()).isCurrent, false)
    await server.reconnect()
    await soon('the list of a server that is back', async () => {
      await keepLoaded(scope(), { serverId }).catch(() => {})
      return (await firewall()).isCurrent
    })
    assert.deepEqual([await found(), await reaches('attacker', 4)], [0, false])
  })

  it('are found by detection: failed logins on a real WordPress lead to a block', async () => {
    await scope().db.deleteFrom('address_block').execute()
    await full().securityFirewallSync()
    await scope().settings.change({ detection: { mode: 'block', failedLogins: 4 } })
    await soon('reading the log', async () => detectionOf(scope()).followed.has(serverId))
    const login = { path: '/wp-login.php', form: 'log=ada&pwd=wrong' }
    assert.equal(await ask('customer', login), '200')
    await soon('the block', async () => {
      await ask('attacker', login)
      return (await listActiveBlocks(scope().db, Date.now())).length > 0
    })
    const { items } = await full().securityBlockList({ query: {} })
    assert.deepEqual(
      items.map(({ address, source, reason }) => [address, source, reason]),
      [['198.51.2.2', 'detection', 'failed-logins']],
    )
    await isLoaded()
    assert.deepEqual([await reaches('attacker', 4), await ask('customer')], [false, '200'])
    const { decisions } = await full().securityDetectionGet()
    assert.deepEqual(
      [decisions[0]?.outcome, decisions[0]?.sites, decisions[0]?.requests?.at(-1)?.path],
      ['blocked', ['shop'], '/wp-login.php'],
    )
    const check = await full().securityCheck({ query: { address: '198.51.2.2' } })
    assert.equal(check.verdict, 'blocked')
  })
})
