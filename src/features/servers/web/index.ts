import { IconPlus, IconServer } from '@tabler/icons-react'
import type { Server } from '#features/servers/contract.ts'
import { api } from '#web/api.ts'
import type { Screens } from '#web/screen.ts'
import { serverStatus } from './status.ts'

const FOUND = 6

const isCalled = ({ name, sshHost, publicIp, devDomain }: Server, q: string) =>
  [name, sshHost, publicIp, devDomain].some(text => text?.toLowerCase().includes(q.toLowerCase()))

export const serverScreens: Screens = {
  entry: { title: 'Servers', to: '/servers', icon: IconServer, order: 30 },
  screens: [
    { path: '/servers', load: async () => (await import('./ServersPage.tsx')).ServersPage },
    { path: '/servers/new', load: async () => (await import('./AddServerPage.tsx')).AddServerPage },
    { path: '/servers/:id/*', load: async () => (await import('./ServerPage.tsx')).ServerPage },
  ],
  commands: [{ title: 'Add a server', icon: IconPlus, to: '/servers/new', needs: 'full' }],
  search: async q => {
    const { items } = await api.serverList()
    return items
      .filter(server => isCalled(server, q))
      .slice(0, FOUND)
      .map(server => ({
        title: server.name,
        note: [server.sshHost ?? 'the panel’s own machine', serverStatus(server, null).word].join(' · '),
        icon: IconServer,
        to: `/servers/${server.id}`,
      }))
  },
}
