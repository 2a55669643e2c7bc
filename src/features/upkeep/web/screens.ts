import { IconTrash } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const upkeepScreens: WebFeature = {
  tabs: {
    server: [
      {
        path: 'leftovers',
        label: 'Leftovers',
        icon: IconTrash,
        order: 30,
        load: async () => (await import('./LeftoversTab.tsx')).LeftoversTab,
      },
    ],
  },
}
