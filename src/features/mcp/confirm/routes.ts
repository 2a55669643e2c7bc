import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { approve } from './confirm.ts'
import { findConfirmation } from './confirmation-store.ts'
import type { confirmations } from './contract.ts'

export const confirmationRoutes: Handlers<typeof confirmations> = {
  async mcpConfirmationGet({ params }, scope) {
    const row = await findConfirmation(scope.db, params.id)
    if (!row) throw new Problem('not_found', 'There is no such call to confirm. Ask the app to try again.')
    const isOver = row.used_at !== null || row.expires_at <= scope.now()
    return {
      confirmation: {
        id: row.id,
        connectionName: row.connection_name,
        endpoint: row.endpoint,
        effect: row.effect,
        expiresAt: row.expires_at,
        isOpen: !isOver,
      },
    }
  },

  async mcpConfirmationApprove({ params }, scope) {
    return { code: await approve(scope, params.id) }
  },
}
