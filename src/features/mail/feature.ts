import { defineFeature } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { mail } from './contract.ts'
import { tidyMail } from './housekeeping.ts'
import { findRefusal } from './messages/find-refusal.ts'
import { ingest } from './messages/ingest.ts'
import { deleteMessagesOf, fillIndex } from './messages/message-store.ts'
import { mailOverview } from './overview.ts'
import { noteQueue } from './queue/note-queue.ts'
import { applyRelay } from './relay/apply-relay.ts'
import { noteReverseDns } from './relay/note-reverse-dns.ts'
import { onServers } from './relay/on-servers.ts'
import { ownRelay } from './relay/own-relay.ts'
import { relayPart } from './relay/relay-part.ts'
import { giveMail } from './relay/site-mail.ts'
import { mailRoutes } from './routes.ts'
import { deleteMailServer } from './server-store.ts'
import { relaySettings } from './settings.ts'

const applyTo = async (scope: Scope, serverId: number): Promise<void> => {
  await applyRelay(scope, serverId)
}

export const feature = defineFeature({
  name: 'mail',
  group: 'Mail',
  uses: ['panel', 'servers', 'stack', 'certificates', 'monitor', 'dns', 'sites', 'wordpress'],
  contract: mail,
  routes: mailRoutes,
  settings: [relaySettings],
  hooks: {
    stackParts: async () => [relayPart],
    siteContainer: giveMail,
    siteCreated: (scope, { site }) => applyTo(scope, site.server_id),
    siteChanged: (scope, { site }) => applyTo(scope, site.server_id),
    siteMoved: async (scope, { site, fromServerId }) => {
      await applyTo(scope, site.server_id)
      await applyTo(scope, fromServerId)
    },
    ownRelay,
    mailRefusal: findRefusal,
    overview: mailOverview,
    housekeeping: tidyMail,
    settingsChanged: async (scope, { sections }) => {
      if (sections.includes(relaySettings.id)) await onServers(scope, serverId => applyRelay(scope, serverId))
      return []
    },
    serverSampled: async (scope, { serverId, signal }) => {
      await ingest(scope, { serverId, signal })
      await fillIndex(scope.db)
      await noteQueue(scope, serverId)
      await noteReverseDns(scope, serverId)
    },
    serverDeleting: async (scope, { serverId }) => {
      await deleteMailServer(scope.db, serverId)
      await deleteMessagesOf(scope.db, serverId)
    },
  },
})
