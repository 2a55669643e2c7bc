import { IconHome, IconSettings } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const panelScreens: WebFeature = {
  entry: { title: 'Home', to: '/', icon: IconHome, order: 10, inBar: true },
  screens: [{ path: '/', load: async () => (await import('./HomePage.tsx')).HomePage }],
  home: [{ order: 20, load: () => import('./NeedsAttention.tsx') }],
}

export const settingsScreens: WebFeature = {
  entry: { title: 'Settings', to: '/settings', icon: IconSettings, order: 50 },
  screens: [
    { path: '/settings', load: async () => (await import('./SettingsPage.tsx')).SettingsPage },
    { path: '/settings/keys', load: async () => (await import('./KeysPage.tsx')).KeysPage },
    { path: '/settings/keys/new', load: async () => (await import('./NewKeyPage.tsx')).NewKeyPage },
    { path: '/settings/activity', load: async () => (await import('./ActivityPage.tsx')).ActivityPage },
  ],
  settingsTabs: [
    { label: 'Panel', to: '/settings', order: 10 },
    { label: 'API keys', to: '/settings/keys', order: 30 },
    { label: 'Activity', to: '/settings/activity', order: 40 },
  ],
  palette: async () => (await import('./palette.ts')).settingsPalette,
}
