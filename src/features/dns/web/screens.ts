import type { WebFeature } from '#web/client/registration.ts'

export const dnsScreens: WebFeature = {
  screens: [{ path: '/settings/dns', load: async () => (await import('./DnsPage.tsx')).DnsPage }],
  settingsTabs: [{ label: 'DNS', to: '/settings/dns', order: 25 }],
  palette: async () => (await import('./palette.ts')).dnsPalette,
}
