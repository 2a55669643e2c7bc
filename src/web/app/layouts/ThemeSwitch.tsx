import { ActionIcon } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import type { ThemeChoice } from '#web/app/theme-choice.ts'

const choices: Record<ThemeChoice, { icon: typeof IconSun; next: ThemeChoice }> = {
  system: { icon: IconDeviceDesktop, next: 'light' },
  light: { icon: IconSun, next: 'dark' },
  dark: { icon: IconMoon, next: 'system' },
}

interface ThemeSwitchProps {
  choice: ThemeChoice
  onChoose: (choice: ThemeChoice) => void
}

/** Goes round: as the system, light, dark. */
export const ThemeSwitch = ({ choice, onChoose }: ThemeSwitchProps) => {
  const { icon: Icon, next } = choices[choice]
  const label = `Theme: ${choice}. Switch to ${next}`
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="dimmed"
      size={30}
      aria-label={label}
      title={label}
      onClick={() => onChoose(next)}
    >
      <Icon size={16} aria-hidden="true" />
    </ActionIcon>
  )
}
