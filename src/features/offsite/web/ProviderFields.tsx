import { PasswordInput, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import type { Provider } from '../providers/contract.ts'
import { type Field, providerForms } from './fields.ts'

interface ProviderFieldsProps {
  provider: Provider
  filled: Readonly<Record<string, string>>
  /** Names of secrets on file: they stay unless new ones are typed. */
  secretsSet?: readonly string[]
  errorOf: (path: string) => string | undefined
  onChange: (path: string, value: string) => void
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** What a provider needs to know. */
export const ProviderFields = ({ provider, filled, secretsSet = [], errorOf, onChange }: ProviderFieldsProps) => {
  const isSet = (field: Field) => secretsSet.some(name => field.path === `secrets.${name}`)
  const propsOf = (field: Field) => ({
    ...PLAIN,
    name: field.path,
    label: field.label,
    description: field.description,
    placeholder: isSet(field) ? 'Saved. Type to replace it' : field.placeholder,
    value: filled[field.path] ?? '',
    error: errorOf(field.path),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(field.path, event.currentTarget.value),
  })
  return (
    <>
      {providerForms[provider].map(field => {
        if (field.kind === 'secret')
          return <PasswordInput key={field.path} {...propsOf(field)} autoComplete="new-password" />
        if (field.kind === 'lines') return <Textarea key={field.path} {...propsOf(field)} rows={3} />
        return <TextInput key={field.path} {...propsOf(field)} />
      })}
    </>
  )
}
