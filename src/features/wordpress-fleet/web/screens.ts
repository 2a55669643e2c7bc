import { IconRefreshAlert } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const wordpressFleetScreens: WebFeature = {
  entry: { title: 'Updates', to: '/updates', icon: IconRefreshAlert, keywords: 'plugins themes vulnerable', order: 25 },
  screens: [
    { path: '/updates', load: async () => (await import('./UpdatesPage.tsx')).UpdatesPage },
    { path: '/updates/:batchId', load: async () => (await import('./BatchPage.tsx')).BatchPage },
  ],
}
