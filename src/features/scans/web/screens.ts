import { IconShieldSearch } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'
import type { scans } from '../contract.ts'

export const scanScreens: WebFeature = {
  tabs: {
    site: [
      {
        path: 'scans',
        label: 'Scans',
        icon: IconShieldSearch,
        order: 38,
        load: async () => (await import('./ScansTab.tsx')).ScansTab,
      },
    ],
  },
  startAgain: {
    'site.malwareScan': {
      needs: 'manage' satisfies (typeof scans)['siteScanStart']['level'],
      start: async ({ slug }) => (await import('./api.ts')).api.siteScanStart({ params: { slug } }),
    },
  },
}
