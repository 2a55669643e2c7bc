import type { PasswordInputProps } from '@mantine/core'
import { PasswordField } from './PasswordField.tsx'

/** A password being chosen. It is asked for once, because it can be looked at. */
export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordField
    {...props}
    label="Password"
    description="At least 12 characters. A few random words work well."
    name="password"
    autoComplete="new-password"
  />
)
