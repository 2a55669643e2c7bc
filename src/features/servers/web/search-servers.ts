import { IconDatabase, IconServer, IconSettings, IconTerminal2 } from '@tabler/icons-react'
import type { Server } from '#features/servers/contract.ts'
import { type Act, searchKind } from '#web/acts.ts'
import { api } from '#web/api.ts'
import type { Command } from '#web/screen.ts'
import { serverStatus } from './status.ts'

const acts: readonly Act<Server>[] = [
  { words: 'Terminal of', icon: IconTerminal2, needs: 'full', how: '/terminal' },
  { words: 'Storage of', icon: IconDatabase, how: '/storage' },
  { words: 'Settings of', icon: IconSettings, needs: 'full', how: '/settings' },
]

const isCalled = ({ name, sshHost, publicIp, devDomain }: Server, q: string) =>
  [name, sshHost, publicIp, devDomain].some(text => text?.toLowerCase().includes(q.toLowerCase()))

export const searchServers = (q: string): Promise<Command[]> =>
  searchKind<Server>(q, {
    acts,
    find: async text => (await api.serverList()).items.filter(server => isCalled(server, text)),
    show: server => ({
      title: server.name,
      note: [server.sshHost ?? 'the panel’s own machine', serverStatus(server, null).word].join(' · '),
      icon: IconServer,
      to: `/servers/${server.id}`,
    }),
  })
