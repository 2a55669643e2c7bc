import type { Handlers } from '#platform/http/handlers.ts'
import type { moveEndpoints } from './contract.ts'
import { startFinalize, startMove } from './start-move.ts'

export const moveRoutes: Handlers<typeof moveEndpoints> = {
  async siteMove({ params, body }, scope) {
    return { job: await startMove(scope, params.slug, body.targetServerId) }
  },

  async siteMoveFinalize({ params }, scope) {
    return { job: await startFinalize(scope, params.slug) }
  },
}
