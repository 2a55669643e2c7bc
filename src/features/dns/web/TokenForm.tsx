import { Button, PasswordInput } from '@mantine/core'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { dns } from '../contract.ts'
import { api } from './api.ts'
import classes from './DnsPage.module.css'
import { useRefreshDns } from './use-dns.ts'

const HowToken = () => (
  <>
    Cloudflare: an API token with Zone: Read and DNS: Edit.
    <br />
    Your own name server (RFC 2136): <code>ns1.example.com:53 hmac-sha256 key-name key</code>
  </>
)

/** The token is checked by the provider before it is saved, and never shown again. */
export const TokenForm = ({ isSet }: { isSet: boolean }) => {
  const refresh = useRefreshDns()
  const form = useForm({ token: '' }, async ({ token }) => {
    const body = { token: token.trim() }
    checked(dns.dnsTokenSet.body, body)
    await api.dnsTokenSet({ body })
    showToast({ tone: 'good', text: 'Token saved.' })
    await refresh()
  })
  return (
    <form className={classes.form} {...form.formProps}>
      <PasswordInput
        label={isSet ? 'Replace the token' : 'Token'}
        description={<HowToken />}
        autoComplete="off"
        spellCheck={false}
        {...form.text('token')}
      />
      <FormError key={form.failures} problem={form.problem} fields={['token']} />
      <div>
        <Button type="submit" disabled={form.values.token.trim() === ''} loading={form.isPending}>
          Check and save
        </Button>
      </div>
    </form>
  )
}
