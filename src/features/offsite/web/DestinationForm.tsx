import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { BACKUP_TYPES } from '#features/backups/contract.ts'
import { typeWords } from '#features/backups/web/index.ts'
import { Card } from '#web/kit/Card.tsx'
import { CheckList } from '#web/kit/CheckList.tsx'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { type Checked, RETENTION_FIELDS } from '../contract.ts'
import { PROVIDERS, type Provider } from '../providers/contract.ts'
import { providerForms } from './fields.ts'
import classes from './Offsite.module.css'
import { ProviderFields } from './ProviderFields.tsx'
import { RetentionFields } from './RetentionFields.tsx'
import { TestButton } from './TestButton.tsx'
import type { DestinationValues } from './values.ts'
import { providerWords } from './words.ts'

interface DestinationFormProps {
  initial: DestinationValues
  /** Absent for a new one; its provider never changes. */
  saved?: { secretsSet: readonly string[]; hasCopies: boolean }
  verb: string
  test: (values: DestinationValues) => Promise<Checked>
  onSubmit: (values: DestinationValues) => Promise<void>
}

const typeOptions = BACKUP_TYPES.map(value => ({ value, label: typeWords[value] }))
const providerOptions = PROVIDERS.map(value => ({ value, label: providerWords[value] }))

/** Storage, what is copied there, and how long copies are kept. */
export const DestinationForm = ({ initial, saved, verb, test, onSubmit }: DestinationFormProps) => {
  const form = useForm(initial, onSubmit)
  const { provider, filled, copyTypes, retention } = form.values
  const marked = ['name', 'copyTypes', ...RETENTION_FIELDS, ...providerForms[provider].map(({ path }) => path)]
  return (
    <form className={classes.form} {...form.formProps}>
      <Section title="Storage">
        <Card>
          <div className={classes.stack}>
            <FieldGrid>
              <TextInput label="Name" placeholder="Storage box" autoComplete="off" {...form.text('name')} />
              <NativeSelect
                label="Provider"
                disabled={saved !== undefined}
                data={providerOptions}
                value={provider}
                onChange={event => form.set({ provider: event.currentTarget.value as Provider })}
              />
              <ProviderFields
                {...{ provider, filled }}
                {...(saved && { secretsSet: saved.secretsSet })}
                errorOf={form.errorOf}
                onChange={(path, value) => form.set({ filled: { ...filled, [path]: value } })}
              />
            </FieldGrid>
            <TestButton test={() => test(form.values)} />
          </div>
        </Card>
      </Section>
      <Section title="Copies" about="New backups of these types are copied as soon as they are complete.">
        <Card>
          <div className={classes.stack}>
            <CheckList
              label="Types of backups"
              options={typeOptions}
              value={copyTypes}
              onChange={next => form.set({ copyTypes: next as typeof copyTypes })}
              empty=""
            />
            <Checkbox label="Copy existing backups, too" {...form.flag('backfill')} />
            <Checkbox
              label="Encrypt copies"
              description={
                saved?.hasCopies
                  ? 'Fixed, because there are copies.'
                  : 'The storage sees neither contents nor names. You get a passphrase that restores copies without this panel.'
              }
              disabled={saved?.hasCopies ?? false}
              {...form.flag('encryption')}
            />
          </div>
        </Card>
      </Section>
      <RetentionFields
        retention={retention}
        errorOf={form.errorOf}
        onChange={(name, value) => form.set({ retention: { ...retention, [name]: value } })}
      />
      <FormError key={form.failures} problem={form.problem} fields={marked} />
      <div>
        <Button type="submit" loading={form.isPending}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
