import type { PasswordInputProps } from '@mantine/core'
import { PasswordField } from '#web/kit/PasswordField.tsx'

/** Asked again before what an open browser alone must not be able to do. */
export const OwnPasswordField = (props: PasswordInputProps) => (
  <PasswordField label="Your password" {...props} data-retry autoComplete="current-password" />
)
