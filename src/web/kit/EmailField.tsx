import { TextInput, type TextInputProps } from '@mantine/core'

/** The address someone signs in with; password managers know it by its name. */
export const EmailField = (props: TextInputProps) => (
  <TextInput
    required
    withAsterisk={false}
    label="Email"
    name="email"
    type="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
)
