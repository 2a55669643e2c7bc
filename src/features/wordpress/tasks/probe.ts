import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { bounded } from '#features/monitor/index.ts'
import type { SiteRow } from '#features/sites/index.ts'
import { HostError, HostUnreachable } from '#platform/host/errors.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { askSite, type SiteAnswer } from '../ask-site.ts'
import { NoScriptAnswer, runScript } from '../run-script.ts'
import { isThere, removeIfThere } from './one-file.ts'

const PAGE_MS = 60_000
/** How long a site may say that it is being updated, before its maintenance mode counts as left behind. */
const MIGRATION_MS = 3 * 60_000
const PAUSE_MS = 1_000
const MOST_PAGES = 10
/** The rest of the site's PHP is for visitors. */
const PAGES_AT_ONCE = 3
const PUBLIC_PAGES = ['/', '/wp-login.php']
const DASHBOARD = '/wp-admin/index.php'
const MAINTENANCE = '.maintenance'

export type ProbeWork = Pick<StepScope, 'db' | 'hosts' | 'signal'>

/** Whether each page of a site works, by its path. */
export type Health = Readonly<Record<string, boolean>>

const Cookies = z.object({ cookies: z.array(z.tuple([z.string().max(200), z.string().max(500)])).max(10) })

/** Looks at a site as visitors and its administrator do. */
export class Probe {
  readonly #work: ProbeWork
  readonly #site: SiteRow
  #cookie: Promise<string> | undefined
  #last: Health = {}

  constructor(work: ProbeWork, site: SiteRow) {
    this.#work = work
    this.#site = site
  }

  /** A site that was in maintenance mode to begin with stays in it, and is not waited for. */
  async look(pages: readonly string[], wasInMaintenance: boolean): Promise<Health> {
    this.forget()
    return this.recall(pages, wasInMaintenance)
  }

  /** What the last look found, and what it did not look at. */
  async recall(pages: readonly string[], wasInMaintenance: boolean): Promise<Health> {
    if (wasInMaintenance) return { [DASHBOARD]: (await this.pagesOf('')) !== undefined }
    const cookie = await this.signIn()
    const adminPages = cookie === '' ? [] : [DASHBOARD, ...pages.map(page => `/wp-admin/${page}`)]
    const turn = bounded(PAGES_AT_ONCE)
    const looked = [...PUBLIC_PAGES, ...adminPages].map(async path => {
      const isWorking = this.#last[path] ?? isFine(await turn(() => this.#settled(path, cookie)))
      return [path, isWorking] as const
    })
    this.#last = Object.fromEntries(await Promise.all(looked))
    return this.#last
  }

  /** The site is no longer what the last look found. */
  forget(): void {
    this.#last = {}
  }

  /** The pages in wp-admin that this plugin draws; undefined when WordPress does not get that far. */
  async pagesOf(name: string): Promise<string[] | undefined> {
    const answer = z.object({ pages: z.array(z.string().max(500)) })
    const asked = { answer, question: { name }, load: 'admin' } as const
    const found = await quietly(runScript(this.#work, this.#site, 'admin-pages', asked))
    return found?.pages.filter(page => /^[\w./-]+\?[\w=&%.-]+$/.test(page)).slice(0, MOST_PAGES)
  }

  /** Signed in while WordPress still works: the cookies are good for an hour, also when it no longer does. */
  signIn(): Promise<string> {
    this.#cookie ??= quietly(runScript(this.#work, this.#site, 'admin-pass', { answer: Cookies })).then(
      found => found?.cookies.map(([name, value]) => `${name}=${value}`).join('; ') ?? '',
    )
    return this.#cookie
  }

  /** A page that says 503 is being updated; what has to be done to the database may take a while. */
  async #settled(path: string, cookie: string): Promise<SiteAnswer | undefined> {
    const until = Date.now() + MIGRATION_MS
    for (;;) {
      const answer = await this.#get(path, cookie)
      if (answer?.status !== 503) return answer
      if (Date.now() < until) await sleep(PAUSE_MS, undefined, { signal: this.#work.signal })
      else if (!(await endMaintenance(this.#work, this.#site))) return answer
    }
  }

  async #get(path: string, cookie: string): Promise<SiteAnswer | undefined> {
    const { signal } = this.#work
    try {
      const headers = path.startsWith('/wp-admin/') ? { cookie } : undefined
      const asked = { path, ...(headers && { headers }) }
      return await askSite(
        { ...this.#work, signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_MS)]) },
        this.#site,
        asked,
      )
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof HostUnreachable) throw error
      return undefined
    }
  }
}

/** What a script says, or nothing when WordPress does not get that far. */
export const quietly = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    const isOfSite = error instanceof NoScriptAnswer || error instanceof HostError
    if (isOfSite && !(error instanceof HostUnreachable)) return undefined
    throw error
  })

const FATAL =
  /(?:There has been a critical error on this website|<b>(?:Fatal|Parse) error<\/b>:|^(?:PHP )?(?:Fatal|Parse) error: )/m

const isFine = (answer: SiteAnswer | undefined): boolean => {
  if (answer === undefined || answer.status === null || answer.status >= 500) return false
  if (answer.status !== 200) return true
  const isCutOff = /<html[\s>]/i.test(answer.text) && !answer.truncated && !/<\/html>/i.test(answer.text)
  return answer.sizeBytes > 0 && !isCutOff && !FATAL.test(answer.text)
}

/** Pages that worked before and do not now, or that are new and do not work. */
export const brokenPages = (before: Health, after: Health): string[] =>
  Object.entries(after)
    .filter(([path, isWorking]) => !isWorking && (before[path] ?? true))
    .map(([path]) => path)

export const isInMaintenance = (work: ProbeWork, site: SiteRow): Promise<boolean> => isThere(work, site, MAINTENANCE)

/** False when it was not in maintenance mode. */
export const endMaintenance = (work: ProbeWork, site: SiteRow): Promise<boolean> =>
  removeIfThere(work, site, MAINTENANCE)
