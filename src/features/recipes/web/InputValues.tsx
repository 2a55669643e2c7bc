import { Button, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Problem } from '#platform/contract/problem.ts'
import { Card } from '#web/kit/Card.tsx'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import type { Recipe } from '../contract.ts'
import { api } from './api.ts'
import classes from './Form.module.css'

type Input = Recipe['inputs'][number]

const numberOf = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw new Problem('validation_error', 'Check the marked fields.', [
    { path: `values.${name}`, message: 'must be a number' },
  ])
}

/** An empty field removes a value. Secrets are not shown, so an empty one stays as it is. */
const valueOf = ({ name, type }: Input, text: string): string | number | boolean | null => {
  if (text === '') return null
  if (type === 'number') return numberOf(name, text)
  return type === 'flag' ? text === 'true' : text
}

const FLAGS = [
  { value: '', label: 'Not set' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** Secrets can be replaced, never read. */
const ValueField = ({ input, ...field }: { input: Input; value: string } & Record<string, unknown>) => {
  const label = input.required ? input.label : `${input.label} (optional)`
  const common = { ...field, label, autoComplete: 'off', spellCheck: false }
  if (input.type === 'flag') return <NativeSelect {...field} label={label} data={FLAGS} />
  if (input.secret) return <PasswordInput {...common} placeholder={input.isSet ? 'Set. Type to replace it' : ''} />
  return <TextInput {...common} />
}

/** The values of a recipe, for all sites. */
export const InputValues = ({ recipe: { id, inputs }, onSaved }: { recipe: Recipe; onSaved: () => void }) => {
  const queryClient = useQueryClient()
  const initial = Object.fromEntries(inputs.map(({ name, value }) => [name, value === null ? '' : String(value)]))
  const form = useForm<Record<string, string>>(initial, async texts => {
    const changed = inputs.filter(({ name }) => texts[name] !== initial[name])
    const values = Object.fromEntries(changed.map(input => [input.name, valueOf(input, texts[input.name] ?? '')]))
    await api.recipeInputs({ params: { id }, body: { values } })
    await queryClient.invalidateQueries({ queryKey: ['recipes'] })
    onSaved()
    showToast({ tone: 'good', text: 'Values saved.' })
  })
  return (
    <Section title="Values" about="Stored encrypted. Secret values are never shown again.">
      <form className={classes.form} {...form.formProps}>
        <Card>
          <FieldGrid>
            {inputs.map(input => (
              <ValueField
                key={input.name}
                input={input}
                {...form.text(input.name)}
                error={form.errorOf(`values.${input.name}`)}
              />
            ))}
          </FieldGrid>
        </Card>
        <FormError key={form.failures} problem={form.problem} fields={inputs.map(({ name }) => `values.${name}`)} />
        <div>
          <Button type="submit" variant="default" size="xs" loading={form.isPending}>
            Save values
          </Button>
        </div>
      </form>
    </Section>
  )
}
