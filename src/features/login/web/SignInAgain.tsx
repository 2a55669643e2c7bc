import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { login } from '#features/login/contract.ts'
import { useEnterSession } from '#web/client/session.ts'
import { giveUpSession, resumeSession, useIsSessionOver } from '#web/client/sign-in-again.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import classes from './SignInAgain.module.css'

const useSignIn = (email: string) => {
  const enterSession = useEnterSession()
  const [challenge, setChallenge] = useState<string>()
  const form = useForm({ password: '', code: '' }, async ({ password, code }) => {
    const answer =
      challenge === undefined
        ? await api.login({ body: checked(login.login.body, { email, password }) })
        : await api.loginTotp({ body: checked(login.loginTotp.body, { challenge, code: code.replaceAll(/\s/g, '') }) })
    if ('challenge' in answer) return setChallenge(answer.challenge)
    await enterSession(answer.csrfToken)
    resumeSession()
  })
  return { form, needsCode: challenge !== undefined }
}

const AskAgain = ({ email }: { email: string }) => {
  const { form, needsCode } = useSignIn(email)
  const first = useFirstFocus()
  return (
    <Dialog title="Your session has expired" onClose={giveUpSession}>
      <form className={classes.form} {...form.formProps}>
        <p className={classes.about}>Sign in as {email} to continue. Nothing you typed is lost.</p>
        {needsCode ? (
          <TextInput label="Code" inputMode="numeric" autoComplete="one-time-code" {...form.text('code')} />
        ) : (
          <PasswordField ref={first} label="Password" autoComplete="current-password" {...form.text('password')} />
        )}
        <FormError key={form.failures} problem={form.problem} fields={['password', 'code']} />
        <Button type="submit" loading={form.isPending}>
          Sign in
        </Button>
      </form>
    </Dialog>
  )
}

/** In place of the sign-in page where leaving would lose what was typed. */
export const SignInAgain = ({ email }: { email: string }) => (useIsSessionOver() ? <AskAgain email={email} /> : null)
