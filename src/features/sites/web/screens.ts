import { IconSettings, IconWorld, IconWorldWww } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'
import type { sites } from '../contract.ts'

type Sites = typeof sites

const api = async () => (await import('./api.ts')).api

export const siteScreens: WebFeature = {
  entry: { title: 'Sites', to: '/sites', icon: IconWorld, order: 20, inBar: true },
  screens: [
    { path: '/sites', load: async () => (await import('./SitesPage.tsx')).SitesPage },
    {
      path: '/sites/new',
      needs: 'manage' satisfies Sites['siteCreate']['level'],
      load: async () => (await import('./NewSitePage.tsx')).NewSitePage,
    },
    { path: '/sites/:slug/*', load: async () => (await import('./SitePage.tsx')).SitePage },
  ],
  tabs: {
    site: [
      {
        path: '',
        label: 'Overview',
        icon: IconWorld,
        order: 10,
        load: async () => (await import('./SiteOverview.tsx')).SiteOverview,
      },
      {
        path: 'domains',
        label: 'Domains',
        icon: IconWorldWww,
        order: 20,
        load: async () => (await import('./SiteDomains.tsx')).SiteDomains,
      },
      {
        path: 'settings',
        label: 'Settings',
        icon: IconSettings,
        order: 90,
        needs: 'manage' satisfies Sites['siteUpdate']['level'],
        load: async () => (await import('./SiteSettings.tsx')).SiteSettings,
      },
    ],
  },
  home: [{ order: 10, load: () => import('./FirstSite.tsx') }],
  palette: async () => (await import('./palette.ts')).sitePalette,
  startAgain: {
    'site.start': {
      needs: 'manage' satisfies Sites['siteStart']['level'],
      start: async ({ slug }) => (await api()).siteStart({ params: { slug } }),
    },
    'site.stop': {
      needs: 'manage' satisfies Sites['siteStop']['level'],
      start: async ({ slug }) => (await api()).siteStop({ params: { slug } }),
    },
    'site.restart': {
      needs: 'manage' satisfies Sites['siteRestart']['level'],
      start: async ({ slug }) => (await api()).siteRestart({ params: { slug } }),
    },
    'site.reconcile': {
      needs: 'manage' satisfies Sites['siteReconcile']['level'],
      start: async ({ slug }) => (await api()).siteReconcile({ params: { slug } }),
    },
  },
}
