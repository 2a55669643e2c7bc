import { Alert, Button, Checkbox, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { AccessChoice } from '#features/panel/web/index.ts'
import type { Access } from '#platform/contract/level.ts'
import { Card } from '#web/kit/Card.tsx'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { mcp } from '../contract.ts'
import { AppSetup, type Setup } from './AppSetup.tsx'
import { connectionMayDo } from './access.ts'
import { api } from './api.ts'
import classes from './NewConnectionPage.module.css'
import { SitesChoice } from './SitesChoice.tsx'
import { useSetup } from './use-connections.ts'

type Made = z.infer<typeof mcp.mcpConnectionCreate.reply>

interface Values {
  name: string
  access: Access
  allowDangerous: boolean
  siteSlugs: string[] | null
}

const TokenForm = ({ onMade }: { onMade: (made: Made) => void }) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>(
    { name: '', access: 'read-only', allowDangerous: false, siteSlugs: null },
    async values => {
      const body = checked(mcp.mcpConnectionCreate.body, { ...values, name: values.name.trim() })
      onMade(await api.mcpConnectionCreate({ body }))
      await queryClient.invalidateQueries({ queryKey: ['connections'] })
    },
  )
  return (
    <form className={classes.form} {...form.formProps}>
      <TextInput
        required
        withAsterisk={false}
        label="Name"
        description="Which app on which computer. A separate connection for each is easier to trace and revoke."
        placeholder="Claude Code on my laptop"
        autoComplete="off"
        {...form.text('name')}
      />
      <AccessChoice about={connectionMayDo} access={form.values.access} onChange={access => form.set({ access })} />
      <Checkbox
        label="Allow dangerous calls"
        description="Deleting, running commands, saving files and the like. You confirm each one."
        {...form.flag('allowDangerous')}
      />
      <SitesChoice
        slugs={form.values.siteSlugs}
        error={form.errorOf('siteSlugs')}
        onChange={siteSlugs => form.set({ siteSlugs })}
      />
      <FormError key={form.failures} problem={form.problem} fields={['name', 'siteSlugs']} />
      <div>
        <Button type="submit" loading={form.isPending}>
          Create connection
        </Button>
      </div>
    </form>
  )
}

const MadeConnection = ({ setup, token }: { setup: Setup; token: string }) => (
  <div className={classes.form}>
    <Alert variant="light" p="sm" icon={<IconKey aria-hidden="true" />} title="Copy the token now">
      It won't be shown again: the panel stores only a hash of it.
    </Alert>
    <CopyField label="Token" value={token} />
    <AppSetup setup={setup} token={token} />
    <div>
      <Button component={Link} to="/settings/ai">
        I have copied it
      </Button>
    </div>
  </div>
)

const Ways = ({ setup, onMade }: { setup: Setup; onMade: (made: Made) => void }) => (
  <>
    <Section title="By address" about="The app opens this panel, and you choose there what it may do.">
      <Card>
        <AppSetup setup={setup} />
      </Card>
    </Section>
    <Section title="With a token" about="For apps that can't sign in through the browser.">
      <Card>
        <TokenForm onMade={onMade} />
      </Card>
    </Section>
  </>
)

/** Connects an AI app: by its address alone, or with a token that is shown here, this once. */
export const NewConnectionPage = () => {
  const query = useSetup()
  const [made, setMade] = useState<Made>()
  return (
    <Page
      title={made ? `${made.connection.name} created` : 'Connect an AI app'}
      back={{ label: 'AI connections', to: '/settings/ai' }}
    >
      <div className={classes.column}>
        <Loaded query={query}>
          {setup =>
            made ? (
              <Card>
                <MadeConnection setup={setup} token={made.token} />
              </Card>
            ) : (
              <Ways setup={setup} onMade={setMade} />
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}
