import { IconShieldLock, IconUser, IconUserPlus, IconUsers } from '@tabler/icons-react'
import type { Screens } from '#web/screen.ts'

export const adminScreens: Screens = {
  screens: [
    { path: '/settings/admins', load: async () => (await import('./AdminsPage.tsx')).AdminsPage },
    { path: '/settings/account', load: async () => (await import('./AccountPage.tsx')).AccountPage },
    {
      path: '/settings/account/second-factor',
      load: async () => (await import('./SecondFactorPage.tsx')).SecondFactorPage,
    },
  ],
  commands: [
    { title: 'Admins', note: 'Go to', icon: IconUsers, to: '/settings/admins' },
    { title: 'Invite an admin', icon: IconUserPlus, to: '/settings/admins?invite=1' },
    { title: 'Your account', note: 'Go to', icon: IconUser, to: '/settings/account' },
    { title: 'Set up a second factor', icon: IconShieldLock, to: '/settings/account/second-factor' },
  ],
}
