import { IconPlus, IconWorld } from '@tabler/icons-react'
import type { Screens } from '#web/screen.ts'
import { searchSites } from './search-sites.ts'

export const siteScreens: Screens = {
  entry: { title: 'Sites', to: '/sites', icon: IconWorld, order: 20 },
  screens: [
    { path: '/sites', load: async () => (await import('./SitesPage.tsx')).SitesPage },
    { path: '/sites/new', load: async () => (await import('./NewSitePage.tsx')).NewSitePage },
    { path: '/sites/:slug/*', load: async () => (await import('./SitePage.tsx')).SitePage },
  ],
  commands: [
    { title: 'Create a site', icon: IconPlus, to: '/sites/new', needs: 'manage' },
    { title: 'Stopped sites', note: 'Go to', icon: IconWorld, to: '/sites?status=stopped' },
  ],
  search: searchSites,
}
