import { z } from 'zod'
import { Table } from '#drivers/mariadb/tables.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Secret } from '#platform/host/secret.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import type { SiteRow } from '../site-store.ts'

type Work = Pick<StepContext, 'hosts' | 'installation'>

/** What a freshly installed WordPress has in its database. */
const Prepared = z.object({ madeAtMs: z.number(), tables: z.array(Table) })
export type Prepared = z.infer<typeof Prepared>

/** Whom a prepared database belongs to, until a site gets it. No plugin or text of WordPress holds these. */
export const NOBODY = {
  url: 'http://prepared.fleetpress.invalid',
  title: 'Prepared by Fleetpress',
  user: 'prepared-by-fleetpress',
  email: 'prepared@fleetpress.invalid',
} as const

const fileOf = ({ installation }: Work, { wordpress_version, locale }: SiteRow): string =>
  `${installation.dataDir}/cache/database-${wordpress_version}-${locale}.json`

/** Undefined until the first site of this version and language was installed. */
export const findPrepared = async (work: Work, site: SiteRow): Promise<Prepared | undefined> => {
  try {
    const text = (await work.hosts.get(OWN_SERVER).readFile(fileOf(work, site))).toString()
    return Prepared.parse(JSON.parse(text))
  } catch (error) {
    const isDamaged = error instanceof SyntaxError || error instanceof z.ZodError
    if (isDamaged || error instanceof FileNotFound) return undefined
    throw error
  }
}

export const keepPrepared = (work: Work, site: SiteRow, prepared: Prepared): Promise<void> =>
  work.hosts.get(OWN_SERVER).writeFile(fileOf(work, site), JSON.stringify(prepared))

export interface Owner {
  readonly url: string
  readonly title: string
  readonly user: string
  readonly email: string
  readonly passwordHash: Secret
}

const PASSWORD_COLUMN = 'user_pass'
const NICENAME_COLUMN = 'user_nicename'
/** A lock that its preparation held for a moment. */
const LOCK = '_transient_doing_cron'
const DATE = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d$/
const TIMESTAMP = /^\d{10}$/
const PLANNED = /\bi:(\d{10});/g

/** The same tables as if WordPress had been installed for this owner at this moment. */
export const ownedBy = ({ madeAtMs, tables }: Prepared, owner: Owner, nowMs: number): Table[] => {
  const laterMs = nowMs - madeAtMs
  const secondsLater = Math.round(laterMs / 1000)
  const valueOf = (column: string, value: string): string => {
    if (column === PASSWORD_COLUMN) return owner.passwordHash.reveal()
    if (value === NOBODY.user) return column === NICENAME_COLUMN ? nicename(owner.user) : owner.user
    if (value === NOBODY.title) return escapeHtml(owner.title)
    if (value === NOBODY.email) return owner.email
    if (DATE.test(value)) return dateText(Date.parse(`${value.replace(' ', 'T')}Z`) + laterMs)
    if (TIMESTAMP.test(value)) return String(Number(value) + secondsLater)
    return value
      .replace(PLANNED, (_, at: string) => `i:${Number(at) + secondsLater};`)
      .replaceAll(NOBODY.url, () => owner.url)
  }
  return tables.map(table => ({
    ...table,
    rows: table.rows
      .filter(row => !row.includes(LOCK))
      .map(row => row.map((value, at) => value && valueOf(table.columns[at] ?? '', value))),
  }))
}

const dateText = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')

/** As WordPress keeps a title: what looks like an entity already stays one. */
export const escapeHtml = (text: string): string =>
  text
    .replace(/&(?!(?:[a-z]{2,8}\d{0,2}|#\d{1,7}|#x[0-9a-f]{1,6});)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;')

/** As WordPress makes the part of an address from the name of an account. */
export const nicename = (user: string): string =>
  user
    .slice(0, 50)
    .toLowerCase()
    .replaceAll('.', '-')
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
