import { Anchor, Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { panel } from '#features/panel/contract.ts'
import type { Access } from '#platform/contract/level.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/ui/Card.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { Page } from '#web/ui/Page.tsx'
import { useFirstFocus } from '#web/ui/use-first-focus.ts'
import { useForm } from '#web/ui/use-form.ts'
import { AccessChoice } from './AccessChoice.tsx'
import { type Made, MadeKey } from './MadeKey.tsx'
import classes from './NewKeyPage.module.css'

const KeyForm = ({ onMade }: { onMade: (made: Made) => void }) => {
  const queryClient = useQueryClient()
  const firstField = useFirstFocus()
  const form = useForm<{ name: string; access: Access }>(
    { name: '', access: 'read-only' },
    async ({ name, access }) => {
      const made = await api.keyCreate({ body: checked(panel.keyCreate.body, { name: name.trim(), access }) })
      onMade(made)
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
    },
  )
  return (
    <form className={classes.form} {...form.formProps}>
      <TextInput
        ref={firstField}
        required
        withAsterisk={false}
        label="Name"
        description="What will use it, so that the activity log says who did what. A key for each script is easy to revoke."
        placeholder="Deploy script"
        autoComplete="off"
        {...form.text('name')}
      />
      <AccessChoice access={form.values.access} onChange={access => form.set({ access })} />
      <Anchor href="/docs" target="_blank" size="sm">
        Every endpoint with the level it needs
      </Anchor>
      <FormError key={form.failures} problem={form.problem} fields={['name']} />
      <div>
        <Button type="submit" loading={form.isPending}>
          Create the key
        </Button>
      </div>
    </form>
  )
}

/** Makes a key; its token is shown here, this once. */
export const NewKeyPage = () => {
  const [made, setMade] = useState<Made>()
  return (
    <Page
      title={made ? `${made.key.name} is ready` : 'Create an API key'}
      back={{ label: 'API keys', to: '/settings/keys' }}
    >
      <div className={classes.column}>
        <Card>{made ? <MadeKey made={made} /> : <KeyForm onMade={setMade} />}</Card>
      </div>
    </Page>
  )
}
