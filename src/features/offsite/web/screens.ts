import { IconCloudUpload } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'
import type { offsite } from '../contract.ts'

type Offsite = typeof offsite

export const offsiteScreens: WebFeature = {
  entry: {
    title: 'Offsite copies',
    to: '/offsite',
    icon: IconCloudUpload,
    keywords: 'destinations s3 b2 sftp webdav storage backups',
    order: 29,
  },
  screens: [
    { path: '/offsite', load: async () => (await import('./OffsitePage.tsx')).OffsitePage },
    {
      path: '/offsite/new',
      needs: 'full' satisfies Offsite['destinationCreate']['level'],
      load: async () => (await import('./NewDestinationPage.tsx')).NewDestinationPage,
    },
    { path: '/offsite/:id', load: async () => (await import('./DestinationPage.tsx')).DestinationPage },
    {
      path: '/offsite/:id/edit',
      needs: 'full' satisfies Offsite['destinationUpdate']['level'],
      load: async () => (await import('./EditDestinationPage.tsx')).EditDestinationPage,
    },
  ],
}
