import { IconPlus, IconRefresh, IconServer } from '@tabler/icons-react'
import { matchScore } from '#web/client/match-score.ts'
import { searchKind } from '#web/client/palette-search.ts'
import type { PaletteOffer } from '#web/client/registration.ts'
import { type Server, servers } from '../contract.ts'
import { api } from './api.ts'
import { serverActions } from './can.ts'
import { serverStatus } from './status.ts'

const isCalled = ({ name, sshHost, publicIp, devDomain }: Server, q: string) =>
  matchScore(q, name) > 0 || [sshHost, publicIp, devDomain].some(text => text?.toLowerCase().includes(q.toLowerCase()))

export const serverPalette: PaletteOffer = {
  commands: [
    {
      title: 'Add server',
      keywords: 'new create vps machine',
      icon: IconPlus,
      to: '/servers/new',
      needs: servers.serverCreate.level,
    },
  ],
  search: (q, searcher) =>
    searchKind(q, searcher, {
      host: 'server',
      actions: serverActions,
      acts: [{ words: 'Set up', icon: IconRefresh, does: 'serverReprovision', how: '/settings?ask=set-up' }],
      find: async text => (await api.serverList()).items.filter(server => isCalled(server, text)),
      show: server => ({
        title: server.name,
        note: [server.sshHost ?? "the panel's own server", serverStatus(server, null).word].join(' · '),
        icon: IconServer,
        to: `/servers/${server.id}`,
      }),
    }),
}
