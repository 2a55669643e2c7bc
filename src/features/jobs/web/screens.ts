import { IconListCheck } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const jobScreens: WebFeature = {
  entry: {
    title: 'Jobs',
    to: '/jobs',
    icon: IconListCheck,
    keywords: 'logs history queue tasks',
    order: 40,
    inBar: true,
  },
  screens: [
    { path: '/jobs', load: async () => (await import('./JobsPage.tsx')).JobsPage },
    { path: '/jobs/:id', load: async () => (await import('./JobPage.tsx')).JobPage },
  ],
  tabs: {
    site: [
      {
        path: 'jobs',
        label: 'Jobs',
        icon: IconListCheck,
        order: 80,
        load: async () => (await import('./SiteJobs.tsx')).SiteJobs,
      },
    ],
  },
  home: [{ order: 40, load: () => import('./LatestJobs.tsx') }],
  palette: async () => (await import('./palette.ts')).jobPalette,
}
