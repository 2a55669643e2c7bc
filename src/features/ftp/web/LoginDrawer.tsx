import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { dayOf } from '#web/kit/days.ts'
import { Facts } from '#web/kit/Facts.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { When } from '#web/kit/When.tsx'
import { type FtpLogin, ftp } from '../contract.ts'
import { api } from './api.ts'
import { ftpActions } from './can.ts'
import { ExpiryFields, type ExpiryValues, expiryPropsOf } from './ExpiryFields.tsx'
import { expiresAtOf } from './expiry-choices.ts'
import classes from './FtpTab.module.css'
import type { Given } from './GivenLogin.tsx'
import { ftpKey } from './use-ftp.ts'

interface Values extends ExpiryValues {
  folder: string
}

/** An expiry to the minute that is not the end of a day stays as it is until the field is changed. */
const valuesOf = ({ folder, expiresAt }: FtpLogin): Values => ({
  folder,
  expires: expiresAt === null ? 'never' : 'day',
  day: expiresAt === null ? '' : dayOf(String(expiresAt - 1)),
})

const ChangeForm = ({ login, slug }: { login: FtpLogin; slug: string }) => {
  const queryClient = useQueryClient()
  const before = valuesOf(login)
  const form = useForm(before, async ({ folder, expires, day }) => {
    const isMoved = expires !== before.expires || day !== before.day
    const expiresAt = isMoved ? expiresAtOf(expires, day, Date.now()) : undefined
    const body = checked(ftp.ftpUserUpdate.body, {
      folder: folder.trim().replace(/^\/+|\/+$/g, ''),
      ...(expiresAt !== undefined && { expiresAt }),
    })
    await api.ftpUserUpdate({ params: { slug, id: login.id }, body })
    await queryClient.invalidateQueries({ queryKey: ftpKey(slug) })
    showToast({ tone: 'good', text: `${login.username} changed.` })
  })
  return (
    <form className={classes.form} {...form.formProps}>
      <TextInput
        label="Folder"
        description="Empty means the whole site."
        autoComplete="off"
        spellCheck={false}
        {...form.text('folder')}
      />
      <ExpiryFields {...expiryPropsOf(form)} />
      <p className={classes.hint}>Saving ends all open connections to this site.</p>
      <FormError key={form.failures} problem={form.problem} fields={['folder', 'expiresAt']} />
      <div>
        <Button type="submit" variant="default" disabled={!form.isDirty} loading={form.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

interface LoginDrawerProps {
  login: FtpLogin
  site: Site
  now: number
  onGiven: (given: Given) => void
  onClose: () => void
}

/** One login next to the list: what it may see, until when, and its end. */
export const LoginDrawer = ({ login, site: { slug }, now, onGiven, onClose }: LoginDrawerProps) => {
  const can = useCan(ftpActions)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ftpKey(slug) })
  const params = { slug, id: login.id }
  const renew = async () => {
    onGiven({ username: login.username, password: (await api.ftpUserPassword({ params, body: {} })).password })
    await refresh()
  }
  const remove = async () => {
    await api.ftpUserDelete({ params })
    onClose()
    await refresh()
  }
  return (
    <Dialog kind="side" title={login.username} onClose={onClose}>
      <div className={classes.view}>
        <Facts
          facts={[
            ['Open connections', login.sessions],
            ['Password set', <When key="set" at={login.passwordChangedAt} now={now} />],
            ['Created', <When key="created" at={login.createdAt} now={now} />],
          ]}
        />
        {can('ftpUserUpdate').isOffered && <ChangeForm key={JSON.stringify(valuesOf(login))} {...{ login, slug }} />}
        {can('ftpUserDelete').isOffered && (
          <div className={classes.acts}>
            <ConfirmButton
              label="New password"
              ask="new-password"
              title={`Give ${login.username} a new password?`}
              verb="Generate password"
              effects={['The old password stops working.', 'Its open connections end.']}
              act={renew}
            />
            <ConfirmButton
              label="Delete"
              ask="delete-login"
              color="red"
              variant="light"
              title={`Delete the login ${login.username}?`}
              verb="Delete login"
              effects={['It can no longer connect, and its open connections end.', 'Files are not changed.']}
              act={remove}
            />
          </div>
        )}
      </div>
    </Dialog>
  )
}
