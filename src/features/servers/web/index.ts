import { IconPlus, IconServer } from '@tabler/icons-react'
import type { Screens } from '#web/screen.ts'
import { searchServers } from './search-servers.ts'

export const serverScreens: Screens = {
  entry: { title: 'Servers', to: '/servers', icon: IconServer, order: 30 },
  screens: [
    { path: '/servers', load: async () => (await import('./ServersPage.tsx')).ServersPage },
    { path: '/servers/new', load: async () => (await import('./AddServerPage.tsx')).AddServerPage },
    { path: '/servers/:id/*', load: async () => (await import('./ServerPage.tsx')).ServerPage },
  ],
  commands: [{ title: 'Add a server', icon: IconPlus, to: '/servers/new', needs: 'full' }],
  search: searchServers,
}
