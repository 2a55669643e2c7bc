import { createHash } from 'node:crypto'
import { listMoving, listSites, type SiteRow } from '#features/sites/index.ts'
import { siteOwner } from '#features/stack/index.ts'
import type { Db } from '#platform/db/database.ts'
import { type LoginRow, listLogins } from '../login-store.ts'
import { SITES_INSIDE } from './container.ts'

/** What the service of a server should do, as the rows say. */
export interface Wanted {
  /** Names the state; the service reports which one is in effect. */
  readonly generation: string
  /** The file that the service reads. */
  readonly text: string
  readonly logins: readonly LoginRow[]
  /** The sites whose logins are refused for now. */
  readonly paused: ReadonlySet<string>
}

export const readWanted = async (db: Db, serverId: number): Promise<Wanted> => {
  const sites = new Map((await listSites(db, { serverId })).map(site => [site.slug, site]))
  const logins = await listLogins(db, [...sites.keys()])
  const moving = await listMoving(db)
  const paused = new Set([...sites.values()].filter(site => isPaused(site, moving)).map(({ slug }) => slug))
  const lines = logins.flatMap(login => {
    const site = sites.get(login.site_slug)
    return site && !paused.has(site.slug) ? [lineOf(login, site)] : []
  })
  const generation = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
  return { generation, text: [`generation ${generation}`, ...lines, ''].join('\n'), logins, paused }
}

/** Whatever stops, moves or deletes a site must find its files as no one else changes them. */
const isPaused = ({ slug, status }: SiteRow, moving: ReadonlySet<string>): boolean =>
  status !== 'running' || moving.has(slug)

const lineOf = ({ username, password_hash, folder, expires_at, revision }: LoginRow, site: SiteRow): string => {
  const home = `${SITES_INSIDE}/${site.slug}/html${folder === '' ? '' : `/${folder}`}`
  const expiry = expires_at === null ? '-' : Math.floor(expires_at / 1000)
  return [username, password_hash, siteOwner(site).uid, home, expiry, revision].join('\t')
}
