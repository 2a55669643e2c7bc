import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core'
import type { z } from 'zod'
import type { Preferences } from '#features/admins/contract.ts'

/** What this browser showed last, so that pages without a session look the same. */
export const rememberedTheme = localStorageColorSchemeManager({ key: 'fleetpress-theme' })

export type ThemeChoice = NonNullable<z.infer<typeof Preferences>['theme']>

export const colorSchemeOf = (choice: ThemeChoice): MantineColorScheme => (choice === 'system' ? 'auto' : choice)

export const themeChoiceOf = (scheme: MantineColorScheme): ThemeChoice => (scheme === 'auto' ? 'system' : scheme)
