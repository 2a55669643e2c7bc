import type { WebFeature } from '#web/client/registration.ts'

export const systemScreens: WebFeature = {
  screens: [{ path: '/settings/about', load: async () => (await import('./AboutPage.tsx')).AboutPage }],
  settingsTabs: [{ label: 'About', to: '/settings/about', order: 90 }],
}
