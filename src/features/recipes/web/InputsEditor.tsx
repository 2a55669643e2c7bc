import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { Card } from '#web/kit/Card.tsx'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import { type DraftInput, newKey } from './draft.ts'
import classes from './Form.module.css'

interface InputsEditorProps {
  inputs: readonly DraftInput[]
  errorOf: (path: string) => string | undefined
  onChange: (inputs: readonly DraftInput[]) => void
}

const TYPES = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'flag', label: 'Yes or no' },
]

interface OneInputProps {
  input: DraftInput
  path: string
  errorOf: InputsEditorProps['errorOf']
  onChange: (changes: Partial<DraftInput>) => void
  onRemove: () => void
}

const OneInput = ({ input, path, errorOf, onChange, onRemove }: OneInputProps) => (
  <li>
    <Card>
      <FieldGrid>
        <TextInput
          label="Name"
          description="What steps call it, such as key"
          autoComplete="off"
          spellCheck={false}
          value={input.name}
          error={errorOf(`${path}.name`)}
          onChange={event => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Label"
          description="What people read"
          autoComplete="off"
          value={input.label}
          error={errorOf(`${path}.label`)}
          onChange={event => onChange({ label: event.currentTarget.value })}
        />
        <NativeSelect
          label="Type"
          data={TYPES}
          value={input.type}
          onChange={event => onChange({ type: event.currentTarget.value as DraftInput['type'] })}
        />
      </FieldGrid>
      <div className={classes.foot}>
        <Checkbox
          label="Required"
          checked={input.required}
          onChange={event => onChange({ required: event.currentTarget.checked })}
        />
        <Checkbox
          label="Secret"
          checked={input.secret}
          onChange={event => onChange({ secret: event.currentTarget.checked })}
        />
        <Button variant="default" size="xs" aria-label={`Remove input ${input.name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </Card>
  </li>
)

/** The values that people set once for all sites. */
export const InputsEditor = ({ inputs, errorOf, onChange }: InputsEditorProps) => (
  <>
    {inputs.length > 0 && (
      <ul className={classes.list} aria-label="Inputs">
        {inputs.map((input, at) => (
          <OneInput
            key={input.key}
            input={input}
            path={`inputs.${at}`}
            errorOf={errorOf}
            onChange={changes => onChange(inputs.map(each => (each === input ? { ...each, ...changes } : each)))}
            onRemove={() => onChange(inputs.filter(each => each !== input))}
          />
        ))}
      </ul>
    )}
    <div>
      <Button
        variant="default"
        size="xs"
        onClick={() =>
          onChange([...inputs, { key: newKey(), name: '', label: '', type: 'text', required: true, secret: false }])
        }
      >
        Add input
      </Button>
    </div>
  </>
)
