import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'

const params = z.object({ slug: SiteSlug })

/** It becomes a word of a command. */
const ChatId = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'must be the id of a chat or agent')
  .describe('the id of a chat or agent')

const Cursor = z
  .string()
  .max(15)
  .regex(/^(?:-1|\d{1,15})$/, 'must be a cursor from an earlier reply, or -1')
  .describe('-1 from the start')

/** What the plugin says is passed on as it is. */
const Said = z.looseObject({ ok: z.boolean().optional(), error: z.unknown().optional() })

export const assistantEndpoints = contract({
  assistantChats: {
    method: 'GET',
    path: '/api/sites/:slug/assistant/chats',
    level: 'manage',
    summary: "List the chats of a site's assistant plugin; 409 if the site doesn't have it",
    params,
    query: z.object({ parent: ChatId.optional().describe('a chat or an agent') }),
    reply: Said.extend({ chats: z.array(z.looseObject({})).optional(), total: z.number().optional() }),
  },
  assistantChat: {
    method: 'GET',
    path: '/api/sites/:slug/assistant/chats/:chatId',
    level: 'manage',
    summary: "Read a chat of a site's assistant plugin, or wait up to 40 seconds for something to happen in it",
    params: params.extend({ chatId: ChatId }),
    query: z.object({
      wait: wholeNumber(0, 40).prefault(0).describe('seconds; 0 reads at once'),
      after: Cursor.optional(),
      last: wholeNumber(1, 50).optional().describe('turns, for a read without after'),
      pending: z.enum(['true', 'false']).optional().describe('cards that wait, in full'),
    }),
    reply: Said,
  },
  assistantAgents: {
    method: 'GET',
    path: '/api/sites/:slug/assistant/agents',
    level: 'manage',
    summary: "List the agents of a site's assistant plugin; the id of an agent is that of a chat",
    params,
    reply: Said.extend({ agents: z.array(z.looseObject({})).optional(), total: z.number().optional() }),
  },
})
