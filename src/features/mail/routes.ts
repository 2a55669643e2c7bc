import { getServer, listServers } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import type { mail } from './contract.ts'
import { createKey } from './dkim/create-key.ts'
import { deleteKeysOf, listKeys } from './dkim/key-store.ts'
import { showKey } from './dkim/show-key.ts'
import { checkDomains, getSendingDomain } from './domains/list-domains.ts'
import { publishDomain } from './domains/publish-domain.ts'
import { recheckDomain } from './domains/recheck-domain.ts'
import { listSendingDomains } from './domains/sending-domains.ts'
import { findMessages } from './messages/find-messages.ts'
import { ingest } from './messages/ingest.ts'
import { understandSearch } from './messages/search-store.ts'
import { sendTest } from './messages/send-test.ts'
import { readStats, showMessage } from './messages/show-messages.ts'
import { dropQueued, flushQueue, readQueue, showQueued } from './queue/queue.ts'
import { applyRelay } from './relay/apply-relay.ts'
import { changeHostname, publishHostname } from './relay/change-hostname.ts'
import { onServers, problemOf } from './relay/on-servers.ts'
import { readSetup } from './relay/read-setup.ts'
import { readStatus } from './relay/read-status.ts'

const HOUR_MS = 3_600_000

/** Only a server that is set up has a relay. */
const requireReady = async (db: Db, serverId: number): Promise<void> => {
  const { name, status } = await getServer(db, serverId)
  if (status !== 'ready') throw new Problem('conflict', `${name} is not set up. Set it up first.`)
}

const applyEverywhere = (scope: Scope, everything = false) =>
  onServers(scope, serverId => applyRelay(scope, serverId, { everything }))

export const mailRoutes: Handlers<typeof mail> = {
  mailStatus: async (_, scope) => ({ items: await readStatus(scope) }),

  async mailMessageList({ query: { limit, offset, hours, search, ...rest } }, { db, now }) {
    const filter = {
      ...rest,
      ...(hours !== undefined && { since: now() - hours * HOUR_MS }),
      ...(search && { search: await understandSearch(db, search) }),
    }
    const { rows, ...found } = await findMessages(db, filter, { limit, offset })
    return { items: rows.map(showMessage), ...found }
  },

  mailStats: ({ query: { hours } }, { db, now }) => readStats(db, now(), hours),

  mailIngest: async (_, scope) => ({ servers: await onServers(scope, serverId => ingest(scope, { serverId })) }),

  async mailQueueList({ query: { serverId } }, scope) {
    const servers = (await listServers(scope.db)).filter(row => row.status === 'ready')
    if (serverId !== undefined) await getServer(scope.db, serverId)
    const problems: { serverId: number; message: string }[] = []
    const asked = servers.filter(({ id }) => serverId === undefined || id === serverId)
    const queues = asked.map(async ({ id }) => {
      try {
        return (await readQueue(scope, id)).map(message => showQueued(id, message))
      } catch (error) {
        problems.push({ serverId: id, message: problemOf(error) })
        return []
      }
    })
    return { items: (await Promise.all(queues)).flat(), problems }
  },

  async mailQueueFlush({ params: { serverId } }, scope) {
    await requireReady(scope.db, serverId)
    return { messages: await flushQueue(scope, serverId) }
  },

  async mailQueueDrop({ params: { serverId, queueId } }, scope) {
    await requireReady(scope.db, serverId)
    const dropped = await dropQueued(scope, serverId, queueId)
    await ingest(scope, { serverId })
    return { dropped }
  },

  mailTest: ({ body }, scope) => sendTest(scope, body),

  mailSetup: (_, scope) => readSetup(scope),

  async mailDomainList({ query: { domain } }, scope) {
    const domains = domain === undefined ? await listSendingDomains(scope.db) : [await getSendingDomain(scope, domain)]
    return { items: await checkDomains(scope, domains) }
  },

  mailDomainPublish: ({ params: { domain } }, scope) => publishDomain(scope, domain),

  mailDomainCheck: async ({ params: { domain } }, scope) => ({ domain: await recheckDomain(scope, domain) }),

  mailHostnameSet: ({ params: { serverId }, body: { hostname } }, scope) => changeHostname(scope, serverId, hostname),

  mailHostnameReset: ({ params: { serverId } }, scope) => changeHostname(scope, serverId, null),

  mailHostnamePublish: ({ params: { serverId } }, scope) => publishHostname(scope, serverId),

  mailDkimList: async (_, { db }) => ({ items: (await listKeys(db)).map(showKey) }),

  async mailDkimCreate({ body: { domain, rotate } }, scope) {
    const key = await createKey(scope, domain, rotate)
    return { key: showKey(key), servers: await applyEverywhere(scope) }
  },

  mailDkimSync: async (_, scope) => ({ servers: await applyEverywhere(scope, true) }),

  async mailDkimDelete({ params: { domain } }, scope) {
    if ((await deleteKeysOf(scope.db, domain)) === 0) throw new Problem('not_found', `${domain} has no DKIM key.`)
    return { servers: await applyEverywhere(scope) }
  },
}
