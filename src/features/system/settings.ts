import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

/** Plain http only to this machine, for a mirror or a tunnel. */
const isFeedUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || url.search !== '' || url.hash !== '' || url.username !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname))
}

export const updateSettings = settingsSection({
  id: 'updates',
  title: 'Panel updates',
  fields: z.object({
    feedUrl: z
      .union([z.literal(''), z.string().max(500).refine(isFeedUrl, 'must be an https address')])
      .default('')
      .describe('The address of the signed list of releases. If empty, the panel is not updated by itself.')
      .meta({ title: 'Release feed' }),
  }),
})
