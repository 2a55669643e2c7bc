import type { Network } from '#drivers/nftables/networks.ts'
import { getSite } from '#features/sites/index.ts'
import { describeActor } from '#platform/access/actor.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { type BlockRow, findActiveBlock, insertBlock } from './block-store.ts'
import { keysOf } from './network.ts'
import { findProtection, listProtected, type Protected } from './protected.ts'

const MINUTE_MS = 60_000

export interface NewBlock extends Pick<BlockRow, 'site_slug' | 'note' | 'source' | 'reason'> {
  readonly network: Network
  /** Null until lifted. */
  readonly minutes: number | null
}

/** Keeps a block; servers don't have it yet. Refuses what is never blocked, and what is blocked already. */
export const keepBlock = async (
  scope: Scope,
  { network, minutes, ...rest }: NewBlock,
  also: readonly Protected[] = [],
): Promise<BlockRow> => {
  if (rest.site_slug !== null) await getSite(scope.db, rest.site_slug)
  const protection = findProtection([...(await listProtected(scope)), ...also], network)
  if (protection) throw new Problem('conflict', refusalOf(network, protection), protectionOf(protection))
  const now = scope.now()
  const known = await findActiveBlock(scope.db, { address: network.text, site_slug: rest.site_slug }, now)
  if (known)
    throw new Problem('conflict', `${network.text} is already blocked. Lift that block first.`, { id: known.id })
  const row: BlockRow = {
    ...rest,
    ...keysOf(network),
    id: newId(),
    address: network.text,
    created_at: now,
    created_by: describeActor(scope.actor),
    expires_at: minutes === null ? null : now + minutes * MINUTE_MS,
    lifted_at: null,
    lifted_by: null,
  }
  await insertBlock(scope.db, row)
  return row
}

/** Says which entry decides when the range holds more than that. */
const refusalOf = (network: Network, { address, reason }: Protected): string =>
  `${network.text} can't be blocked: ${address} ${reason}.`

export const protectionOf = ({ list, id, address, reason }: Protected) => ({ list, id, address, reason })
