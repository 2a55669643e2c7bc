import { z } from 'zod'
import { WORDPRESS_ORG, type WordpressOrg } from '#drivers/wordpress-org/exchange.ts'
import type { Scope } from '#platform/scope.ts'
import { settingsSection } from '#platform/settings/section.ts'

/** Also read by a shell and by PHP inside of sites. */
const Address = z
  .string()
  .max(200)
  .regex(
    /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._-]+)*$/,
    'must be an address such as https://example.com/api',
  )

export const wordpressOrgSettings = settingsSection({
  id: 'wordpressOrg',
  title: 'WordPress.org',
  fields: z.object({
    apiUrl: Address.default(WORDPRESS_ORG.api).describe(
      'Where the panel and its sites look for updates. Change it to use a mirror. Sites are reconciled.',
    ),
    downloadsUrl: Address.default(WORDPRESS_ORG.downloads).describe(
      'Where WordPress, plugins and themes are downloaded from. Sites are reconciled.',
    ),
  }),
})

/** WordPress.org, or the mirror that the settings name. */
export const wordpressOrgOf = async ({ settings }: Pick<Scope, 'settings'>): Promise<WordpressOrg> => {
  const { apiUrl, downloadsUrl } = await settings.read(wordpressOrgSettings)
  return { api: apiUrl, downloads: downloadsUrl }
}
