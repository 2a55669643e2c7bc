import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { z } from 'zod'
import { fieldWords } from '#platform/contract/plain-messages.ts'
import { Card } from '#web/kit/Card.tsx'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import type { recipes } from '../contract.ts'
import { type DraftStep, type FieldSchema, fieldKindOf, newKey } from './draft.ts'
import classes from './Form.module.css'

export type StepKind = z.output<(typeof recipes)['recipeSteps']['reply']>['items'][number]

export const fieldsOf = ({ schema }: StepKind): Readonly<Record<string, FieldSchema>> =>
  schema.properties as Readonly<Record<string, FieldSchema>>

const defaultOf = ({ default: value }: FieldSchema): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

interface FieldProps {
  name: string
  schema: FieldSchema
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** One field of a step, as its schema says. */
const StepField = ({ name, schema, value, error, onChange }: FieldProps) => {
  const kind = fieldKindOf(schema)
  const common = { label: fieldWords(name), description: schema.description, error }
  if (kind === 'choice')
    return (
      <NativeSelect
        {...common}
        data={[...(schema.enum ?? [])]}
        value={value || defaultOf(schema)}
        onChange={event => onChange(event.currentTarget.value)}
      />
    )
  if (kind !== 'json')
    return (
      <TextInput
        {...common}
        autoComplete="off"
        spellCheck={false}
        placeholder={defaultOf(schema)}
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
      />
    )
  return (
    <Textarea
      {...common}
      className={`${classes.whole} ${classes.json}`}
      rows={2}
      spellCheck={false}
      placeholder='JSON, with {"$input": "key"} for an input'
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

interface StepProps {
  step: DraftStep
  at: number
  kinds: readonly StepKind[]
  errorOf: (field: string) => string | undefined
  onChange: (step: DraftStep) => void
  onRemove: () => void
}

const OneStep = ({ step, at, kinds, errorOf, onChange, onRemove }: StepProps) => {
  const kind = kinds.find(each => each.kind === step.kind)
  const fields = Object.entries(kind ? fieldsOf(kind) : {}).filter(([name]) => name !== 'kind')
  return (
    <li>
      <Card>
        <FieldGrid>
          <NativeSelect
            className={classes.whole ?? ''}
            label={`Step ${at + 1}`}
            description={kind?.description}
            data={kinds.map(({ kind: value, label }) => ({ value, label }))}
            value={step.kind}
            error={errorOf('')}
            onChange={event => onChange({ ...step, kind: event.currentTarget.value, fields: {} })}
          />
          {fields.map(([name, schema]) => (
            <StepField
              key={name}
              name={name}
              schema={schema}
              value={step.fields[name] ?? ''}
              error={errorOf(`.${name}`)}
              onChange={value => onChange({ ...step, fields: { ...step.fields, [name]: value } })}
            />
          ))}
        </FieldGrid>
        <div className={classes.foot}>
          <Button variant="default" size="xs" aria-label={`Remove step ${at + 1}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      </Card>
    </li>
  )
}

interface StepsEditorProps {
  label: string
  path: string
  steps: readonly DraftStep[]
  /** Those that may stand here. */
  kinds: readonly StepKind[]
  errorOf: (path: string) => string | undefined
  onChange: (steps: readonly DraftStep[]) => void
}

/** The steps of one hook, each with the fields that its schema names. */
export const StepsEditor = ({ label, path, steps, kinds, errorOf, onChange }: StepsEditorProps) => (
  <>
    {steps.length > 0 && (
      <ul className={classes.list} aria-label={label}>
        {steps.map((step, at) => (
          <OneStep
            key={step.key}
            step={step}
            at={at}
            kinds={kinds}
            errorOf={field => errorOf(`${path}.${at}${field}`)}
            onChange={next => onChange(steps.map(each => (each === step ? next : each)))}
            onRemove={() => onChange(steps.filter(each => each !== step))}
          />
        ))}
      </ul>
    )}
    <div>
      <Button
        variant="default"
        size="xs"
        onClick={() => onChange([...steps, { key: newKey(), kind: kinds[0]?.kind ?? '', fields: {} }])}
      >
        Add step
      </Button>
    </div>
  </>
)
