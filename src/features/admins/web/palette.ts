import { IconShieldLock, IconUser, IconUserPlus, IconUsers } from '@tabler/icons-react'
import type { PaletteOffer } from '#web/client/registration.ts'
import { admins } from '../contract.ts'

export const adminPalette: PaletteOffer = {
  commands: [
    { title: 'Admins', note: 'Go to', icon: IconUsers, to: '/settings/admins' },
    { title: 'Invite an admin', icon: IconUserPlus, to: '/settings/admins?invite=1', needs: admins.adminInvite.level },
    { title: 'Your account', note: 'Go to', icon: IconUser, to: '/settings/account' },
    { title: 'Set up two-factor authentication', icon: IconShieldLock, to: '/settings/account/second-factor' },
    { title: 'New recovery codes', icon: IconShieldLock, to: '/settings/account/recovery-codes' },
  ],
}
