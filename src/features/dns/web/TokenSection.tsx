import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { When } from '#web/kit/When.tsx'
import type { DnsState } from '../contract.ts'
import { api } from './api.ts'
import { dnsActions } from './can.ts'
import classes from './DnsPage.module.css'
import { TokenForm } from './TokenForm.tsx'
import { useRefreshDns } from './use-dns.ts'
import { PROVIDER_NAMES, rebuiltText } from './words.ts'

const RemoveToken = () => {
  const refresh = useRefreshDns()
  const remove = async () => {
    showToast({ tone: 'good', text: `Token removed. ${rebuiltText(await api.dnsTokenDelete())}` })
    await refresh()
  }
  return (
    <ConfirmButton
      label="Remove token"
      ask="remove-token"
      color="red"
      variant="light"
      title="Remove the DNS token?"
      verb="Remove token"
      effects={[
        'The panel no longer changes DNS records. Those that exist stay.',
        'Dev sites that share a wildcard certificate get their own. They stay online.',
      ]}
      act={remove}
    />
  )
}

/** Who the token is for, and replacing it. */
export const TokenSection = ({ state, now }: { state: DnsState; now: number }) => {
  const can = useCan(dnsActions)
  const { provider, token } = state
  const remove = can('dnsTokenDelete', { state })
  return (
    <Section
      title="Provider"
      about="With a token the panel sets DNS records when a site goes live or moves."
      actions={remove.isOffered && remove.isAllowed && <RemoveToken />}
    >
      <Card>
        <div className={classes.parts}>
          {provider ? (
            <Facts
              facts={[
                ['Provider', PROVIDER_NAMES[provider]],
                [
                  'Token set',
                  token.setAt === null ? 'In the environment' : <When key="at" at={token.setAt} now={now} />,
                ],
                ['Environment', token.envDiffers ? 'DNS_TOKEN is another one. The stored token counts.' : null],
              ]}
            />
          ) : (
            <p className={classes.text}>No token yet. Records are set by hand at your domain provider.</p>
          )}
          {can('dnsTokenSet').isAllowed && <TokenForm key={token.setAt} isSet={token.configured} />}
        </div>
      </Card>
    </Section>
  )
}
