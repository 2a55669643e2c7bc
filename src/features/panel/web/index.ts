import { IconHistory, IconHome, IconKey, IconMail, IconSettings } from '@tabler/icons-react'
import type { Screens } from '#web/screen.ts'

export const panelScreens: Screens = {
  entry: { title: 'Home', to: '/', icon: IconHome, order: 10 },
  screens: [{ path: '/', load: async () => (await import('./HomePage.tsx')).HomePage }],
}

export const settingsScreens: Screens = {
  entry: { title: 'Settings', to: '/settings', icon: IconSettings, order: 50 },
  screens: [
    { path: '/settings', load: async () => (await import('./SettingsPage.tsx')).SettingsPage },
    { path: '/settings/keys', load: async () => (await import('./KeysPage.tsx')).KeysPage },
    { path: '/settings/keys/new', load: async () => (await import('./NewKeyPage.tsx')).NewKeyPage },
    { path: '/settings/activity', load: async () => (await import('./ActivityPage.tsx')).ActivityPage },
  ],
  commands: [
    { title: 'API keys', note: 'Go to', icon: IconKey, to: '/settings/keys' },
    { title: 'Create an API key', icon: IconKey, to: '/settings/keys/new' },
    { title: 'Activity log', note: 'Go to', icon: IconHistory, to: '/settings/activity' },
    { title: 'Refused requests', note: 'Go to', icon: IconHistory, to: '/settings/activity?status=401,403,429' },
    { title: 'Mail settings', note: 'Go to', icon: IconMail, to: '/settings#mail' },
  ],
}
