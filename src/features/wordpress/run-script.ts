import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { fastcgi } from '#drivers/fastcgi/fastcgi.ts'
import { addressOf, listHostnames, type SiteRow, siteNetwork } from '#features/sites/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'

const PORT = 9000
const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 4 * 1024 ** 2

export type ScriptWork = Pick<Scope, 'db' | 'hosts'> & { readonly signal?: AbortSignal | undefined }

/** A script of the panel in the image of sites, below /opt/fleetpress/wordpress. */
export type Script =
  | 'inventory'
  | 'users'
  | 'sign-in-link'
  | 'reset-password'
  | 'maintenance'
  | 'test-mail'
  | 'choices'
  | 'choose'
  | 'after-update'
  | 'clear-code'
  | 'admin-pass'
  | 'admin-pages'
  | 'download-package'

interface ScriptOptions<S extends z.ZodType> {
  readonly answer: S
  readonly question?: Readonly<Record<string, unknown>>
  /** `admin` as in wp-admin; `core` leaves out plugins and themes, which may be broken. */
  readonly load?: 'all' | 'admin' | 'core'
  readonly timeoutMs?: number
}

/** The site answered, but not as the script does: something in it ended the script, or speaks in its place. */
export class NoScriptAnswer extends KnownError {
  readonly code = 'no_script_answer'

  constructor(output: string) {
    super('WordPress did not answer as expected.', { output })
  }
}

/** Runs a script in the site's own PHP, as its own account. Whatever comes back was said by the site. */
export const runScript = async <S extends z.ZodType>(
  { db, hosts, signal }: ScriptWork,
  site: SiteRow,
  script: Script,
  { answer, question = {}, load = 'all', timeoutMs = TIMEOUT_MS }: ScriptOptions<S>,
): Promise<z.output<S>> => {
  const [hostname = 'localhost'] = (await listHostnames(db, [site.slug])).get(site.slug) ?? []
  const mark = randomBytes(16).toString('hex')
  const { address } = siteNetwork(site.slug, site.network_index)
  const { body, stderr } = await fastcgi(
    hosts.get(site.server_id),
    { host: address, port: PORT },
    {
      root: '/opt/fleetpress',
      script: `/wordpress/${script}.php`,
      params: {
        HTTP_HOST: hostname,
        SERVER_NAME: hostname,
        REQUEST_URI: '/',
        REMOTE_ADDR: '127.0.0.1',
        ...(addressOf(hostname).startsWith('https:') && { HTTPS: 'on' }),
        FLEETPRESS_LOAD: load,
        FLEETPRESS_MARK: mark,
      },
      stdin: Buffer.from(JSON.stringify(question)),
      maxOutputBytes: MAX_ANSWER_BYTES,
      timeoutMs,
      signal,
    },
  )
  const parsed = answer.safeParse(jsonBetween(body.toString(), mark))
  if (!parsed.success) throw new NoScriptAnswer(firstLineOf(stderr))
  return parsed.data
}

const jsonBetween = (text: string, mark: string): unknown => {
  const [, json] = text.split(mark)
  try {
    return JSON.parse(json ?? '')
  } catch {
    return undefined
  }
}

const firstLineOf = (stderr: string): string => stderr.trim().split('\n')[0]?.slice(0, 500) ?? ''

export const requireRunning = (site: SiteRow): void => {
  if (site.status !== 'running')
    throw new Problem('conflict', `${site.slug} is ${site.status}. Start it first.`, { status: site.status })
}
