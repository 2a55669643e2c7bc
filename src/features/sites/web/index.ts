import { IconPlus, IconWorld } from '@tabler/icons-react'
import { api } from '#web/api.ts'
import type { Screens } from '#web/screen.ts'
import { siteStatus } from './status.ts'

const FOUND = 6

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
  search: async q => {
    const { items } = await api.siteList({ query: { q } })
    return items.slice(0, FOUND).map(site => ({
      title: site.title,
      note: [site.hostnames[0] ?? site.slug, siteStatus(site).word].join(' · '),
      icon: IconWorld,
      to: `/sites/${site.slug}`,
    }))
  },
}
