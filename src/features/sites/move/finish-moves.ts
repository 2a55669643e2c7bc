import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { getSite } from '../site-store.ts'
import { listParked } from './copy-store.ts'
import { namesAt } from './dns.ts'
import { startFinalize } from './start-move.ts'

/** Nightly: moves whose names all point to the new server. Those below localhost are in no DNS and stay as they are. */
export const finishMoves = async (scope: Scope): Promise<number> => {
  let finished = 0
  for (const slug of (await listParked(scope.db)).keys()) {
    const { here, elsewhere } = await namesAt(scope, slug, (await getSite(scope.db, slug)).server_id)
    if (here.length === 0 || elsewhere.length > 0) continue
    try {
      await startFinalize(scope, slug)
      finished += 1
    } catch (error) {
      // Someone works on the site; the next night is soon enough.
      if (!(error instanceof Problem)) throw error
    }
  }
  return finished
}
