import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { api } from './api.ts'
import { Console } from './Console.tsx'
import { wordpressActions } from './can.ts'
import { readRestLine } from './rest-line.ts'
import { splitWords } from './split-words.ts'

/** WP-CLI and the REST API of a site. */
export const ConsoleTab = ({ site }: { site: Site }) => {
  const can = useCan(wordpressActions)
  const { slug } = site
  const params = { slug }
  return (
    <>
      <Console
        slug={slug}
        title="WP-CLI"
        about="Type a command without wp in front. It is stopped after 55 seconds. The up arrow brings back earlier ones."
        label="WP-CLI command"
        example="plugin list"
        refusal={can('wpCli', site).reason}
        run={async line => {
          const { stdout, stderr, exitCode } = await api.wpCli({ params, body: { args: splitWords(line) } })
          return { text: `${stdout}${stderr}`, ok: exitCode === 0 }
        }}
      />
      <Console
        slug={slug}
        title="REST API"
        about="Type a route of the site. Start with a method to change something, and end with JSON to send it."
        label="REST route"
        example='/wp/v2/posts or POST /wp/v2/posts {"title":"Hello"}'
        refusal={can('wpRest', site).reason}
        run={async line => {
          const { status, body, error } = await api.wpRest({ params, body: readRestLine(line) })
          const shown = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
          return { text: error ?? `${status}\n${shown}`, ok: error === null && String(status).startsWith('2') }
        }}
      />
    </>
  )
}
