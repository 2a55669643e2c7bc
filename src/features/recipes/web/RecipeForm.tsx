import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { usePlugins } from '#features/catalog/web/index.ts'
import { Card } from '#web/kit/Card.tsx'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { LeaveGuard } from '#web/kit/LeaveGuard.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { bodyOf, type Draft } from './draft.ts'
import classes from './Form.module.css'
import { InputsEditor } from './InputsEditor.tsx'
import { fieldsOf, type StepKind, StepsEditor } from './StepsEditor.tsx'

interface RecipeFormProps {
  initial: Draft
  kinds: readonly StepKind[]
  verb: string
  onSubmit: (body: ReturnType<typeof bodyOf>) => Promise<void>
}

export const schemasOf = (kinds: readonly StepKind[]) => new Map(kinds.map(kind => [kind.kind, fieldsOf(kind)]))

/** A recipe as a form; the fields of its steps come from their schemas. */
export const RecipeForm = ({ initial, kinds, verb, onSubmit }: RecipeFormProps) => {
  const form = useForm(initial, draft => onSubmit(bodyOf(draft, schemasOf(kinds))))
  const catalog = usePlugins()
  const plugins = catalog.data?.items ?? []
  const common = { errorOf: form.errorOf }
  const kindsFor = (hook: string) => kinds.filter(({ hooks }) => hooks.includes(hook))
  return (
    <form className={classes.form} {...form.formProps}>
      <LeaveGuard isDirty={form.isDirty && !form.isPending} />
      <Card>
        <FieldGrid>
          <TextInput label="Name" placeholder="Acme Pro license" autoComplete="off" {...form.text('name')} />
          <NativeSelect
            label="Plugin"
            description={
              catalog.error ? "The catalog couldn't be loaded. Reload the page to select a plugin." : undefined
            }
            disabled={!catalog.data}
            data={[{ value: '', label: 'None' }, ...plugins.map(({ id, name }) => ({ value: id, label: name }))]}
            {...form.text('pluginId')}
          />
          <Textarea className={classes.whole ?? ''} label="Notes" rows={2} {...form.text('description')} />
        </FieldGrid>
      </Card>
      <Section title="Inputs" about="Values that you enter once for all sites, such as a license key.">
        <InputsEditor {...common} inputs={form.values.inputs} onChange={inputs => form.set({ inputs })} />
      </Section>
      <Section title="After install" about="What is done when the recipe is applied to a site.">
        <StepsEditor
          {...common}
          label="Steps after install"
          path="hooks.afterInstall"
          steps={form.values.afterInstall}
          kinds={kindsFor('afterInstall')}
          onChange={afterInstall => form.set({ afterInstall })}
        />
      </Section>
      <Section title="Checks" about="What must be so for a valid license. Checks change nothing.">
        <StepsEditor
          {...common}
          label="Checks"
          path="hooks.verify"
          steps={form.values.verify}
          kinds={kindsFor('verify')}
          onChange={verify => form.set({ verify })}
        />
      </Section>
      <FormError key={form.failures} problem={form.problem} fields={['name', 'pluginId', 'description']} />
      <div>
        <Button type="submit" loading={form.isPending}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
