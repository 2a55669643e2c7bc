import { IconArchive } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'
import type { backups } from '../contract.ts'

export const backupScreens: WebFeature = {
  entry: { title: 'Backups', to: '/backups', icon: IconArchive, keywords: 'restore snapshots', order: 28 },
  screens: [
    { path: '/backups', load: async () => (await import('./BackupsPage.tsx')).BackupsPage },
    { path: '/backups/:slug', load: async () => (await import('./DeletedSitePage.tsx')).DeletedSitePage },
  ],
  tabs: {
    site: [
      {
        path: 'backups',
        label: 'Backups',
        icon: IconArchive,
        order: 30,
        load: async () => (await import('./BackupsTab.tsx')).BackupsTab,
      },
    ],
  },
  startAgain: {
    'backup.create': {
      needs: 'manage' satisfies (typeof backups)['backupCreate']['level'],
      start: async ({ slug }) => (await import('./api.ts')).api.backupCreate({ params: { slug }, body: {} }),
    },
  },
}
