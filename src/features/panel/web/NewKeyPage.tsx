import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { panel } from '#features/panel/contract.ts'
import type { Access } from '#platform/contract/level.ts'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Page } from '#web/kit/Page.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { AccessChoice } from './AccessChoice.tsx'
import { api } from './api.ts'
import { EXPIRY_CHOICES, type ExpiryChoice, expiresAtOf } from './expiry-choices.ts'
import { type Made, MadeKey } from './MadeKey.tsx'
import classes from './NewKeyPage.module.css'

const KeyForm = ({ onMade }: { onMade: (made: Made) => void }) => {
  const queryClient = useQueryClient()
  const firstField = useFirstFocus()
  const form = useForm<{ name: string; access: Access; expiresAt: ExpiryChoice }>(
    { name: '', access: 'read-only', expiresAt: EXPIRY_CHOICES[0].value },
    async ({ name, access, expiresAt }) => {
      const wanted = { name: name.trim(), access, expiresAt: expiresAtOf(expiresAt, Date.now()) }
      const made = await api.keyCreate({ body: checked(panel.keyCreate.body, wanted) })
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
        description="What will use this key. A separate key for each script is easier to trace and revoke."
        placeholder="Deploy script"
        autoComplete="off"
        {...form.text('name')}
      />
      <AccessChoice access={form.values.access} onChange={access => form.set({ access })} />
      <NativeSelect
        label="Expires"
        description="The key stops working then. Home reminds you two weeks before."
        data={[...EXPIRY_CHOICES]}
        {...form.text('expiresAt')}
      />
      <Anchor href="/docs" target="_blank" size="sm">
        See the level each endpoint needs
      </Anchor>
      <FormError key={form.failures} problem={form.problem} fields={['name', 'expiresAt']} />
      <div>
        <Button type="submit" loading={form.isPending}>
          Create key
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
      title={made ? `${made.key.name} created` : 'Create API key'}
      back={{ label: 'API keys', to: '/settings/keys' }}
    >
      <div className={classes.column}>
        <Card>{made ? <MadeKey made={made} /> : <KeyForm onMade={setMade} />}</Card>
      </div>
    </Page>
  )
}
