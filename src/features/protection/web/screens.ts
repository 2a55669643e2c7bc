import { IconShield } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const protectionScreens: WebFeature = {
  entry: {
    title: 'Security',
    to: '/security',
    icon: IconShield,
    keywords: 'protection blocks blocked addresses ip ban firewall attacks detection',
    order: 29,
  },
  screens: [{ path: '/security', load: async () => (await import('./SecurityPage.tsx')).SecurityPage }],
  tabs: {
    site: [
      {
        path: 'protection',
        label: 'Protection',
        icon: IconShield,
        order: 40,
        load: async () => (await import('./ProtectionTab.tsx')).ProtectionTab,
      },
    ],
  },
}
