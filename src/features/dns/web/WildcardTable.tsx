import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { showToast } from '#web/kit/toasts.ts'
import type { DnsState } from '../contract.ts'
import { api } from './api.ts'
import { dnsActions, isPublic } from './can.ts'
import { useRefreshDns } from './use-dns.ts'
import { rebuiltText } from './words.ts'

type Server = DnsState['servers'][number]

const TONES = { valid: 'good', pending: 'busy', failed: 'bad' } as const
const WORDS = { valid: 'Valid', pending: 'Being issued', failed: 'Failed' } as const

const Certificate = ({ server: { devDomain, wildcard, certificate } }: { server: Server }) => {
  if (!isPublic(devDomain)) return 'Not in public DNS'
  if (!wildcard && !certificate) return <Status tone="idle" word="Off" />
  const status = certificate?.status ?? 'pending'
  return (
    <>
      <Status tone={TONES[status]} word={WORDS[status]} />
      {certificate?.problem && <CellNote>{certificate.problem}</CellNote>}
    </>
  )
}

const Switch = ({ state, server }: { state: DnsState; server: Server }) => {
  const refresh = useRefreshDns()
  const { id, devDomain, wildcard } = server
  const verdict = useCan(dnsActions)('dnsWildcardSet', { state, server })
  if (!verdict.isOffered) return null
  const on = !wildcard
  const change = async () => {
    showToast({ tone: 'good', text: rebuiltText(await api.dnsWildcardSet({ params: { id }, body: { on } })) })
    await refresh()
  }
  return (
    <ConfirmButton
      label={on ? 'Turn on' : 'Turn off'}
      ask={`wildcard-${id}`}
      refusal={verdict.reason}
      title={
        on ? `Share one certificate for *.${devDomain}?` : `Give every dev site of ${devDomain} its own certificate?`
      }
      verb={on ? 'Turn on' : 'Turn off'}
      effects={[
        on
          ? `The panel gets a certificate for *.${devDomain}, and all dev sites of the server use it.`
          : 'Every dev site gets a certificate of its own. The shared one is removed afterwards.',
        'Each site is reconciled in a job and stays online.',
      ]}
      act={change}
    />
  )
}

const columnsOf = (state: DnsState): readonly Column<Server>[] => [
  {
    id: 'name',
    title: 'Server',
    cell: server => (
      <>
        <RowLink to={`/servers/${server.id}`}>{server.name}</RowLink>
        <CellNote>*.{server.devDomain}</CellNote>
        <PhoneOnly>
          <CellNote>
            <Certificate server={server} />
          </CellNote>
        </PhoneOnly>
      </>
    ),
  },
  {
    id: 'certificate',
    title: 'Certificate',
    width: '14rem',
    wide: true,
    cell: server => <Certificate server={server} />,
  },
  { id: 'act', title: 'Actions', width: '7rem', cell: server => <Switch state={state} server={server} /> },
]

/** One certificate for all dev sites of a server, or one for each. */
export const WildcardTable = ({ state }: { state: DnsState }) => (
  <Section
    title="Wildcard certificates"
    about="Dev sites of a server can share one certificate, so that new ones have https at once."
  >
    <Table
      label="Wildcard certificates"
      rows={state.servers}
      columns={columnsOf(state)}
      idOf={({ id }) => String(id)}
      empty="No servers yet."
    />
  </Section>
)
