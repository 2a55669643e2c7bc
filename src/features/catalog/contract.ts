import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { SearchText, wholeNumber } from '#platform/contract/identifiers.ts'

const FoundPlugin = z.object({
  slug: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  activeInstalls: z.number().describe('how many sites of the world use it, about'),
  requiresWordpress: z.string().describe('the oldest version it works with; empty for any'),
  requiresPhp: z.string().describe('the oldest version it works with; empty for any'),
})
export type FoundPlugin = z.infer<typeof FoundPlugin>

export const catalog = contract({
  pluginSearch: {
    method: 'GET',
    path: '/api/plugins/search',
    level: 'read-only',
    summary: 'Search the plugins of WordPress.org',
    query: z.object({
      q: SearchText.describe('words to search for'),
      page: wholeNumber(1, 1000).prefault(1).describe('which page, from 1'),
    }),
    reply: z.object({
      items: z.array(FoundPlugin),
      total: z.number().describe('how many there are on all pages'),
      page: z.number(),
    }),
  },
})
