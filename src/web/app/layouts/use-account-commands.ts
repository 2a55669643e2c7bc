import { IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import type { Admin } from '#features/admins/contract.ts'
import type { ThemeChoice } from '#web/app/theme-choice.ts'
import type { Command } from '#web/client/registration.ts'
import { useSignOut } from '#web/client/session.ts'
import { useAccountTheme } from './use-account-theme.ts'

const THEMES: readonly { choice: ThemeChoice; title: string; icon: Command['icon'] }[] = [
  { choice: 'dark', title: 'Dark theme', icon: IconMoon },
  { choice: 'light', title: 'Light theme', icon: IconSun },
  { choice: 'system', title: 'System theme', icon: IconDeviceDesktop },
]

/** What the palette does for the person themself. */
export const useAccountCommands = (admin: Admin): Command[] => {
  const signOut = useSignOut()
  const { choice: present, choose } = useAccountTheme(admin)
  const done = async (act: () => Promise<void> | void) => {
    await act()
    return {}
  }
  return [
    ...THEMES.filter(({ choice }) => choice !== present).map(({ choice, ...shown }) => ({
      ...shown,
      act: () => done(() => choose(choice)),
    })),
    { title: 'Sign out', icon: IconLogout, act: () => done(signOut) },
  ]
}
