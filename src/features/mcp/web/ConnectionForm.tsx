import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { type Connection, mcp } from '../contract.ts'
import { api } from './api.ts'
import classes from './ConnectionDrawer.module.css'
import { SitesChoice } from './SitesChoice.tsx'

/** Changes what a connection may do; its access level stays as it is. */
export const ConnectionForm = ({ connection }: { connection: Connection }) => {
  const queryClient = useQueryClient()
  const { id, name, allowDangerous, siteSlugs } = connection
  const form = useForm({ name, allowDangerous, siteSlugs }, async values => {
    const body = checked(mcp.mcpConnectionUpdate.body, { ...values, name: values.name.trim() })
    await api.mcpConnectionUpdate({ params: { id }, body })
    await queryClient.invalidateQueries({ queryKey: ['connections'] })
    showToast({ tone: 'good', text: `${values.name.trim()} saved.` })
  })
  return (
    <Section title="What it may do">
      <form className={classes.form} {...form.formProps}>
        <TextInput label="Name" autoComplete="off" {...form.text('name')} />
        <Checkbox
          label="Allow dangerous calls"
          description="Deleting, running commands, saving files and the like. You confirm each one."
          {...form.flag('allowDangerous')}
        />
        <SitesChoice
          slugs={form.values.siteSlugs}
          error={form.errorOf('siteSlugs')}
          onChange={chosen => form.set({ siteSlugs: chosen })}
        />
        <FormError key={form.failures} problem={form.problem} fields={['name', 'siteSlugs']} />
        <div>
          <Button type="submit" variant="default" disabled={!form.isDirty} loading={form.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Section>
  )
}
