import type { WebFeature } from '#web/client/registration.ts'

export const blockScreens: WebFeature = {
  screens: [
    { path: '/security/blocks', load: async () => (await import('./BlocksPage.tsx')).BlocksPage },
    { path: '/security/never-blocked', load: async () => (await import('./NeverBlockPage.tsx')).NeverBlockPage },
    { path: '/security/firewall', load: async () => (await import('./FirewallPage.tsx')).FirewallPage },
    { path: '/security/detection', load: async () => (await import('./DetectionPage.tsx')).DetectionPage },
    { path: '/blocks/*', load: async () => (await import('./MovedPage.tsx')).MovedPage },
  ],
  palette: async () => (await import('./palette.ts')).blockPalette,
}
