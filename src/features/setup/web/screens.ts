import type { WebFeature } from '#web/client/registration.ts'

export const setupScreens: WebFeature = {
  screens: [{ path: '/setup', for: 'anyone', load: async () => (await import('./SetupPage.tsx')).SetupPage }],
}
