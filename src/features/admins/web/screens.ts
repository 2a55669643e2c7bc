import type { WebFeature } from '#web/client/registration.ts'

export const adminScreens: WebFeature = {
  screens: [
    { path: '/settings/admins', load: async () => (await import('./AdminsPage.tsx')).AdminsPage },
    { path: '/settings/account', load: async () => (await import('./AccountPage.tsx')).AccountPage },
    {
      path: '/settings/account/second-factor',
      load: async () => (await import('./SecondFactorPage.tsx')).SecondFactorPage,
    },
    {
      path: '/settings/account/recovery-codes',
      load: async () => (await import('./RecoveryCodesPage.tsx')).RecoveryCodesPage,
    },
  ],
  settingsTabs: [
    { label: 'Admins', to: '/settings/admins', order: 20 },
    { label: 'Account', to: '/settings/account', order: 90 },
  ],
  palette: async () => (await import('./palette.ts')).adminPalette,
}
