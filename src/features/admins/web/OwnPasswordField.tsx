import type { PasswordInputProps } from '@mantine/core'
import { PasswordField } from '#web/ui/PasswordField.tsx'

/** Asked again before what an open browser alone must not be able to do. */
export const OwnPasswordField = (props: PasswordInputProps) => (
  <PasswordField label="Your own password" {...props} data-retry autoComplete="current-password" />
)
