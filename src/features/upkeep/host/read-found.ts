import { listContainers } from '#drivers/docker/containers.ts'
import { listNetworks } from '#drivers/docker/networks.ts'
import { listAccounts, listDatabases } from '#drivers/mariadb/databases.ts'
import { listPushed } from '#features/certificates/index.ts'
import { ROOT } from '#features/servers/index.ts'
import { DATABASE_PREFIX, isSiteComment, listSiteFolders } from '#features/sites/index.ts'
import { dockerOf, SITE_LABEL, withDatabase } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { Found } from '../find-leftovers.ts'

interface Labelled {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

const withSlug = ({ name, labels }: Labelled) => {
  const slug = labels[SITE_LABEL]
  return slug === undefined ? [] : [{ name, slug }]
}

/** Everything on a server that is, or looks like, a part of a site. */
export const readFound = async (scope: Scope, serverId: number, signal: AbortSignal): Promise<Found> => {
  const host = scope.hosts.get(serverId)
  const docker = dockerOf(host)
  const [containers, networks, folders, certificates, inDatabase] = await Promise.all([
    listContainers(docker, {}, { signal }),
    listNetworks(docker, {}, { signal }),
    listSiteFolders(host),
    listPushed(host, ROOT),
    withDatabase(
      scope,
      serverId,
      async db => ({
        databases: await listDatabases(db, DATABASE_PREFIX),
        accounts: await listAccounts(db, DATABASE_PREFIX),
      }),
      { signal },
    ),
  ])
  return {
    containers: containers.flatMap(withSlug),
    networks: networks.flatMap(withSlug),
    folders,
    databases: inDatabase.databases.map(({ name, comment }) => ({ name, isLabelled: isSiteComment(comment) })),
    accounts: inDatabase.accounts,
    certificates,
  }
}
