import { IconFolder } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const fileScreens: WebFeature = {
  tabs: {
    site: [
      {
        path: 'files',
        label: 'Files',
        icon: IconFolder,
        order: 40,
        load: async () => (await import('./FilesTab.tsx')).FilesTab,
      },
    ],
  },
}
