import { IconDatabase, IconServer, IconSettings, IconTerminal2 } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'
import type { servers } from '../contract.ts'

type Servers = typeof servers

export const serverScreens: WebFeature = {
  entry: { title: 'Servers', to: '/servers', icon: IconServer, keywords: 'machines vps hosts', order: 30, inBar: true },
  screens: [
    { path: '/servers', load: async () => (await import('./ServersPage.tsx')).ServersPage },
    {
      path: '/servers/new',
      needs: 'full' satisfies Servers['serverCreate']['level'],
      load: async () => (await import('./AddServerPage.tsx')).AddServerPage,
    },
    { path: '/servers/:id/*', load: async () => (await import('./ServerPage.tsx')).ServerPage },
  ],
  tabs: {
    server: [
      {
        path: '',
        label: 'Overview',
        icon: IconServer,
        order: 10,
        load: async () => (await import('./OverviewTab.tsx')).OverviewTab,
      },
      {
        path: 'storage',
        label: 'Storage',
        icon: IconDatabase,
        order: 20,
        load: async () => (await import('./StorageTab.tsx')).StorageTab,
      },
      {
        path: 'terminal',
        label: 'Terminal',
        icon: IconTerminal2,
        order: 80,
        needs: 'full' satisfies Servers['serverTerminal']['level'],
        load: async () => (await import('./TerminalScreen.tsx')).TerminalTab,
      },
      {
        path: 'settings',
        label: 'Settings',
        icon: IconSettings,
        order: 90,
        needs: 'full' satisfies Servers['serverUpdate']['level'],
        load: async () => (await import('./SettingsTab.tsx')).SettingsTab,
      },
    ],
  },
  home: [{ order: 30, load: () => import('./ServersAtAGlance.tsx') }],
  palette: async () => (await import('./palette.ts')).serverPalette,
  startAgain: {
    'server.provision': {
      needs: 'full' satisfies Servers['serverReprovision']['level'],
      start: async ({ serverId }) => (await import('./api.ts')).api.serverReprovision({ params: { id: serverId } }),
    },
  },
}
