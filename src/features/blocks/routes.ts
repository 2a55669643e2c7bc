import { setTimeout as sleep } from 'node:timers/promises'
import { describeActor } from '#platform/access/actor.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import { keepBlock } from './block-address.ts'
import { countBlocks, getBlock, liftBlocks, listBlocks, listBlocksTouching } from './block-store.ts'
import { checkAddress } from './check-address.ts'
import type { blocks } from './contract.ts'
import { showDetection } from './detection/show-detection.ts'
import { firewallOverview } from './load/firewall-overview.ts'
import { loadEverywhere } from './load/load-servers.ts'
import { keysOf, readNetwork, visitorOf } from './network.ts'
import { deleteNeverBlock, insertNeverBlock, listNeverBlock } from './never-block-store.ts'
import { type Protected, recentAdmins } from './protected.ts'
import { showBlock, showNeverBlock } from './show.ts'

/** Usually the servers have it by then; one that is slow gets it later. */
const WAITED_MS = 4_000
const SYNC_WAITED_MS = 20_000

const loadedSoon = (scope: Scope, waitMs = WAITED_MS): Promise<void> =>
  Promise.race([loadEverywhere(scope), sleep(waitMs, undefined, { ref: false })])

export const blockRoutes: Handlers<typeof blocks> = {
  async securityBlockList({ query }, scope) {
    const { db } = scope
    const now = scope.now()
    const [items, total, active, history] = await Promise.all([
      listBlocks(db, query, now),
      countBlocks(db, query, now),
      countBlocks(db, { state: 'active' }, now),
      countBlocks(db, { state: 'history' }, now),
    ])
    return { items: items.map(row => showBlock(row, scope)), total, counts: { active, history } }
  },

  async securityBlockCreate({ body: { address, minutes, note, siteSlug } }, scope) {
    const kept = { minutes: minutes ?? null, note, site_slug: siteSlug ?? null }
    const block = { ...kept, network: readNetwork(address), source: 'admin', reason: null } as const
    const row = await keepBlock(scope, block, callerOf(scope))
    await loadedSoon(scope)
    return showBlock(row, scope)
  },

  async securityBlockLift({ params }, scope) {
    const row = await getBlock(scope.db, params.id)
    const lifted = await liftBlocks(scope.db, [row.id], { by: describeActor(scope.actor), now: scope.now() })
    if (lifted === 0) throw new Problem('conflict', `The block of ${row.address} is already over.`)
    await loadedSoon(scope)
    return showBlock(await getBlock(scope.db, row.id), scope)
  },

  async securityNeverBlockList(_, scope) {
    const admins = await recentAdmins(scope)
    return {
      items: (await listNeverBlock(scope.db)).map(showNeverBlock),
      admins: admins.map(({ address, name, lastUsedAt }) => ({ address, adminName: name, lastUsedAt })),
    }
  },

  async securityNeverBlockCreate({ body: { address, note } }, scope) {
    const network = readNetwork(address)
    const [by, now] = [describeActor(scope.actor), scope.now()]
    const row = { ...keysOf(network), id: newId(), address: network.text, note, created_at: now, created_by: by }
    const lifted = await scope.db.transaction().execute(async trx => {
      await insertNeverBlock(trx, row)
      const touching = await listBlocksTouching(trx, row, now)
      return liftBlocks(
        trx,
        touching.map(({ id }) => id),
        { by, now },
      )
    })
    if (lifted > 0) await loadedSoon(scope)
    return { ...showNeverBlock(row), lifted }
  },

  async securityNeverBlockDelete({ params }, scope) {
    await deleteNeverBlock(scope.db, params.id)
    return { ok: true }
  },

  securityFirewallGet: (_, scope) => firewallOverview(scope),

  async securityFirewallSync(_, scope) {
    await loadedSoon(scope, SYNC_WAITED_MS)
    return firewallOverview(scope)
  },

  securityCheck: ({ query }, scope) => checkAddress(scope, readNetwork(query.address, 'query')),

  securityDetectionGet: (_, scope) => showDetection(scope),
}

/** Also with a key no one locks themselves out. */
const callerOf = ({ caller }: RequestScope): Protected[] => {
  const network = visitorOf(caller.address)
  const reason = 'is the address you use now'
  return network ? [{ list: 'admins', id: null, address: network.text, reason, network }] : []
}
