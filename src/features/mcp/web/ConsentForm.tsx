import { Button, Checkbox, TextInput } from '@mantine/core'
import { AccessChoice } from '#features/panel/web/index.ts'
import type { Access } from '#platform/contract/level.ts'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { type Asked, mcp } from '../contract.ts'
import { connectionMayDo } from './access.ts'
import { api } from './api.ts'
import classes from './NewConnectionPage.module.css'
import { SitesChoice } from './SitesChoice.tsx'

interface ConsentFormProps {
  asked: Asked
  clientName: string
  denyTo: string
  proof: 'code' | 'password'
}

interface Values {
  name: string
  access: Access
  allowDangerous: boolean
  siteSlugs: string[] | null
  proof: string
}

/** What the app may do, and the proof that it is the person who says so. */
export const ConsentForm = ({ asked, clientName, denyTo, proof }: ConsentFormProps) => {
  const form = useForm<Values>(
    { name: clientName, access: 'read-only', allowDangerous: false, siteSlugs: null, proof: '' },
    async values => {
      const body = checked(mcp.mcpConsentGive.body, { ...values, asked, name: values.name.trim() })
      const { redirectTo } = await api.mcpConsentGive({ body })
      window.location.assign(redirectTo)
    },
  )
  return (
    <form className={classes.form} {...form.formProps}>
      <TextInput label="Name" description="How it is listed here." autoComplete="off" {...form.text('name')} />
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
      {proof === 'password' ? (
        <PasswordField label="Your password" autoComplete="current-password" {...form.text('proof')} />
      ) : (
        <TextInput
          label="Code"
          description="The 6 digits your authenticator app shows for Fleetpress."
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.text('proof')}
        />
      )}
      <FormError key={form.failures} problem={form.problem} fields={['name', 'siteSlugs', 'proof']} />
      <div className={classes.acts}>
        <Button type="submit" loading={form.isPending}>
          Connect
        </Button>
        <Button variant="default" onClick={() => window.location.assign(denyTo)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
