import type { Handlers } from '#platform/http/handlers.ts'
import { askAssistant } from './ask-assistant.ts'
import type { assistantEndpoints } from './contract.ts'

export const assistantRoutes: Handlers<typeof assistantEndpoints> = {
  async assistantChats({ params, query }, scope) {
    const parent = query.parent === undefined ? [] : [`--parent=${query.parent}`]
    return askAssistant(scope, params.slug, ['chat', 'list', ...parent])
  },

  async assistantChat({ params, query: { wait, after, last, pending } }, scope) {
    const options = [
      ...(after === undefined ? [] : [`--after=${after}`]),
      ...(last === undefined ? [] : [`--last=${last}`]),
      ...(pending === 'true' ? ['--pending'] : []),
    ]
    const verb = wait > 0 ? ['chat', 'wait', params.chatId, `--timeout=${wait}`] : ['chat', 'read', params.chatId]
    return askAssistant(scope, params.slug, [...verb, ...options])
  },

  async assistantAgents({ params }, scope) {
    return askAssistant(scope, params.slug, ['agent', 'list'])
  },
}
