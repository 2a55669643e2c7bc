import { useCan } from '#web/client/can.ts'
import { useRegistry } from '#web/client/registry.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { dnsActions } from './can.ts'
import { TokenCheck } from './TokenCheck.tsx'
import { TokenSection } from './TokenSection.tsx'
import { useDns } from './use-dns.ts'
import { WildcardTable } from './WildcardTable.tsx'

/** The DNS provider and what the panel does with it. */
export const DnsPage = () => {
  const query = useDns()
  const can = useCan(dnsActions)
  return (
    <Page
      title="DNS"
      about="Lets the panel set DNS records and get wildcard certificates."
      tabs={useRegistry().settingsTabs}
    >
      <Loaded query={query}>
        {state => (
          <>
            <TokenSection state={state} now={query.dataUpdatedAt} />
            <WildcardTable state={state} />
            {state.token.configured && can('dnsCheck').isAllowed && <TokenCheck />}
          </>
        )}
      </Loaded>
    </Page>
  )
}
