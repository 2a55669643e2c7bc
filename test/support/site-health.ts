import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Mirror } from './wordpress-org.ts'
import type { WordpressPerson } from './wordpress-person.ts'

const Finding = z.object({ test: z.string(), status: z.enum(['good', 'recommended', 'critical']), label: z.string() })
export type Finding = z.infer<typeof Finding>

const SlowTest = z.object({
  test: z.url(),
  has_rest: z.literal(true),
  // Without entries it is a list: PHP cannot tell the two apart.
  headers: z.preprocess(value => (Array.isArray(value) ? {} : value), z.record(z.string(), z.string())).default({}),
})

const Page = z.object({
  site_status: z.object({
    direct: z.array(Finding),
    async: z.array(SlowTest),
  }),
})

/** What Site Health shows to a signed-in administrator, who waits for the slow tests as the page itself does. */
export const readSiteHealth = async (person: WordpressPerson): Promise<Finding[]> => {
  const page = await person.ask('/wp-admin/site-health.php')
  const [, text] = /var SiteHealth = (\{.*\});$/m.exec(page.text) ?? []
  assert.ok(text, `${page.status} ${page.text.slice(0, 500)}`)
  const { direct, async: later } = Page.parse(JSON.parse(text)).site_status
  const nonce = (await person.ask('/wp-admin/admin-ajax.php?action=rest-nonce')).text.trim()
  const found = [...direct]
  for (const { test, headers } of later) {
    const { pathname } = new URL(test)
    const answer = await person.ask(`${pathname}?_locale=user`, { headers: { ...headers, 'x-wp-nonce': nonce } })
    assert.equal(answer.status, 200, `${pathname} ${answer.text.slice(0, 500)}`)
    found.push(Finding.parse(JSON.parse(answer.text)))
  }
  return found
}

interface Release {
  readonly version: string
  /** By path. */
  readonly checksums: Readonly<Record<string, string>>
}

const RECOMMENDED_PHP = 8.3
const MAINTAINED_PHP = 8.2

/** What the services of wordpress.org say to a site that has the latest release and no update waiting. */
export const serveUpdateChecks = ({ answers }: Mirror, { version, checksums }: Release): void => {
  const offer = {
    response: 'latest',
    current: version,
    version,
    locale: 'en_US',
    php_version: '7.4',
    mysql_version: '5.5.5',
  }
  const nothing = { plugins: {}, themes: {}, no_update: {}, translations: [] }
  answers.set('/', '{}')
  answers.set('/core/version-check/1.7/', JSON.stringify({ offers: [offer], translations: [] }))
  answers.set('/plugins/update-check/1.1/', JSON.stringify(nothing))
  answers.set('/themes/update-check/1.1/', JSON.stringify(nothing))
  answers.set('/core/checksums/1.0/', JSON.stringify({ checksums }))
  answers.set('/core/serve-happy/1.0/', (response, path) => {
    const php = Number.parseFloat(new URLSearchParams(path.replace(/.*\?/, '')).get('php_version') ?? '')
    const reply = {
      recommended_version: String(RECOMMENDED_PHP),
      minimum_version: '7.4',
      is_supported: php >= RECOMMENDED_PHP,
      is_secure: php >= MAINTAINED_PHP,
      is_acceptable: php >= MAINTAINED_PHP,
      is_lower_than_future_minimum: php < MAINTAINED_PHP,
    }
    response.writeHead(200).end(JSON.stringify(reply))
  })
}

/** A must-use plugin for a site without the internet, which asks the mirror instead, on a machine that is busy with tests. */
export const testPlugin = (mirrorUrl: string): string => `<?php
add_filter('pre_http_request', function ($answer, $args, $url) {
    $asked = wp_parse_url($url);
    if (($asked['host'] ?? '') !== 'api.wordpress.org') return $answer;
    $query = isset($asked['query']) ? '?' . $asked['query'] : '';
    return wp_remote_request('${mirrorUrl}' . ($asked['path'] ?? '/') . $query, $args);
}, 10, 3);
add_filter('site_status_good_response_time_threshold', fn () => 20000);
`
