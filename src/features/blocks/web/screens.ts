import { IconShieldLock } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const blockScreens: WebFeature = {
  entry: {
    title: 'Blocks',
    to: '/blocks',
    icon: IconShieldLock,
    keywords: 'blocked addresses security firewall ip ban attack detection',
    order: 35,
  },
  screens: [
    { path: '/blocks', load: async () => (await import('./BlocksPage.tsx')).BlocksPage },
    { path: '/blocks/never', load: async () => (await import('./NeverBlockPage.tsx')).NeverBlockPage },
    { path: '/blocks/firewall', load: async () => (await import('./FirewallPage.tsx')).FirewallPage },
    { path: '/blocks/detection', load: async () => (await import('./DetectionPage.tsx')).DetectionPage },
  ],
  palette: async () => (await import('./palette.ts')).blockPalette,
}
