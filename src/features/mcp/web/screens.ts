import type { WebFeature } from '#web/client/registration.ts'
import type { mcp } from '../contract.ts'

const needs = 'full' satisfies (typeof mcp)['mcpConnectionList']['level']

export const mcpScreens: WebFeature = {
  screens: [
    { path: '/settings/ai', needs, load: async () => (await import('./ConnectionsPage.tsx')).ConnectionsPage },
    { path: '/settings/ai/new', needs, load: async () => (await import('./NewConnectionPage.tsx')).NewConnectionPage },
    {
      path: '/settings/ai/confirm/:id',
      needs,
      load: async () => (await import('./ConfirmCallPage.tsx')).ConfirmCallPage,
    },
    { path: '/oauth/authorize', load: async () => (await import('./ConsentPage.tsx')).ConsentPage },
  ],
  settingsTabs: [{ label: 'AI connections', to: '/settings/ai', order: 35 }],
  palette: async () => (await import('./palette.ts')).mcpPalette,
}
