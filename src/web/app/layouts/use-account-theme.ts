import { useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { type Admin, admins } from '#features/admins/contract.ts'
import { colorSchemeOf, type ThemeChoice, themeChoiceOf } from '#web/app/theme-choice.ts'
import { clientOf } from '#web/client/api.ts'
import { useReplaceAccount } from '#web/client/session.ts'

const api = clientOf(admins)

/** The theme of the account, shown at once and kept for the person's other browsers. */
export const useAccountTheme = (admin: Admin) => {
  // Without keepTransitions Mantine would write an inline style, which the page's policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const replaceAccount = useReplaceAccount()
  const { mutate, error } = useMutation({
    mutationFn: (preferences: Admin['preferences']) => api.accountUpdate({ body: { preferences } }),
    scope: { id: 'account' },
  })
  const show = useEffectEvent((theme: ThemeChoice) => setColorScheme(colorSchemeOf(theme)))
  const stored = admin.preferences.theme
  useEffect(() => {
    if (stored) show(stored)
  }, [stored])
  const choose = (theme: ThemeChoice) => {
    const preferences = { ...admin.preferences, theme }
    replaceAccount({ ...admin, preferences })
    mutate(preferences)
  }
  return { choice: themeChoiceOf(colorScheme), choose, error }
}
