import type { Migration } from 'kysely/migration'
import * as foundation from './0001-foundation.ts'
import * as servers from './0002-servers.ts'
import * as certificates from './0003-certificates.ts'
import * as monitoring from './0004-monitoring.ts'
import * as sites from './0005-sites.ts'
import * as siteHostnames from './0006-site-hostnames.ts'
import * as siteMove from './0007-site-move.ts'
import * as siteTraffic from './0008-site-traffic.ts'

/** In order, append-only: a migration that has left this machine is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-servers': servers,
  '0003-certificates': certificates,
  '0004-monitoring': monitoring,
  '0005-sites': sites,
  '0006-site-hostnames': siteHostnames,
  '0007-site-move': siteMove,
  '0008-site-traffic': siteTraffic,
}
