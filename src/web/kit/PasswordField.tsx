import { ActionIcon, PasswordInput, type PasswordInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'

interface PasswordFieldProps extends PasswordInputProps {
  autoComplete: 'current-password' | 'new-password'
}

/** A password that can be looked at, with the mouse, a finger, the keyboard or a reader. */
export const PasswordField = (props: PasswordFieldProps) => {
  const [visible, setVisible] = useState(false)
  const Icon = visible ? IconEyeOff : IconEye
  return (
    <PasswordInput
      {...props}
      required
      withAsterisk={false}
      visible={visible}
      aria-invalid={props.error ? true : undefined}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          aria-label="Show password"
          aria-pressed={visible}
          title={visible ? 'Hide password' : 'Show password'}
          onClick={() => setVisible(!visible)}
        >
          <Icon size={18} aria-hidden="true" />
        </ActionIcon>
      }
    />
  )
}
