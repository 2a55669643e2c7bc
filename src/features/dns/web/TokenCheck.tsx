import { Button } from '@mantine/core'
import { Card } from '#web/kit/Card.tsx'
import { counted } from '#web/kit/counted.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import type { DnsCheck } from '../contract.ts'
import classes from './DnsPage.module.css'
import { useDnsCheck } from './use-dns.ts'

const toneOf = (editable: boolean | null) => (editable === null ? 'idle' : editable ? 'good' : 'bad')

const Found = ({ check: { ok, error, zones, zoneCount, devDomains } }: { check: DnsCheck }) => (
  <div className={classes.check}>
    <Status
      tone={ok ? 'good' : 'bad'}
      word={ok ? `The token works and reaches ${counted(zoneCount, 'zone')}` : (error ?? '')}
    />
    <ul className={classes.list}>
      {zones.map(({ name, editable }) => (
        <li key={name}>
          <Status tone={toneOf(editable)} word={editable === false ? `${name}: read only` : name} />
        </li>
      ))}
      {devDomains
        .filter(({ covered }) => !covered)
        .map(({ serverId, devDomain, problem }) => (
          <li key={serverId}>
            <Status tone="warning" word={problem ?? `The token can't change ${devDomain}`} />
          </li>
        ))}
    </ul>
  </div>
)

/** What the stored token reaches, checked with the provider when the page opens. */
export const TokenCheck = () => {
  const query = useDnsCheck(true)
  const again = (
    <Button variant="default" size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
      Check again
    </Button>
  )
  return (
    <Section title="Live check" about="What the token reaches at the provider now." actions={again}>
      <Card>
        <Loaded query={query} skeleton={<Skeleton height="3rem" />}>
          {check => <Found check={check} />}
        </Loaded>
      </Card>
    </Section>
  )
}
