import { IconBrandWordpress, IconPrompt } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'
import type { wordpress } from '../contract.ts'

export const wordpressScreens: WebFeature = {
  tabs: {
    site: [
      {
        path: 'wordpress',
        label: 'WordPress',
        icon: IconBrandWordpress,
        order: 15,
        load: async () => (await import('./WordpressTab.tsx')).WordpressTab,
      },
      {
        path: 'console',
        label: 'Console',
        icon: IconPrompt,
        order: 60,
        needs: 'manage' satisfies (typeof wordpress)['wpCli']['level'],
        load: async () => (await import('./ConsoleTab.tsx')).ConsoleTab,
      },
    ],
  },
  palette: async () => (await import('./palette.ts')).wordpressPalette,
}
