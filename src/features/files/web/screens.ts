import { IconFolder } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const fileScreens: WebFeature = {
  tabs: {
    site: [
      {
        path: 'files',
        label: 'Files',
        icon: IconFolder,
        order: 22,
        load: async () => (await import('./FilesTab.tsx')).FilesTab,
      },
    ],
  },
}
