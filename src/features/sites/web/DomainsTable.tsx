import { Button } from '@mantine/core'
import type { SiteHostname } from '#features/sites/domains/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { Status, type Tone } from '#web/kit/Status.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { makePrimary, type NamesChange, removeName } from './names-change.ts'
import classes from './SiteDomains.module.css'

interface Standing {
  word: string
  tone: Tone
  note: string
}

interface Shown {
  timeZone: string | undefined
  /** A job works on the site, perhaps on its certificate. */
  isBusy: boolean
}

const addressesOf = ({ dns: { cname, a, aaaa } }: SiteHostname) => [...cname, ...a, ...aaaa].join(', ')

const dnsOf = (item: SiteHostname): Standing => {
  const led = addressesOf(item)
  if (item.certificate === null && !item.pointsHere)
    return { word: 'Not needed', tone: 'idle', note: 'Only works on the server itself' }
  if (item.pointsHere) return { word: 'Points here', tone: 'good', note: led }
  if (item.dns.problem !== null) return { word: 'Unknown', tone: 'warning', note: item.dns.problem }
  if (led === '') return { word: 'No record', tone: 'bad', note: "This name doesn't resolve." }
  return { word: 'Points elsewhere', tone: 'bad', note: led }
}

const certificateOf = ({ certificate }: SiteHostname, { timeZone, isBusy }: Shown): Standing => {
  if (certificate === null) return { word: 'Not needed', tone: 'idle', note: 'Served over plain HTTP' }
  const { status, issuer, expiresAt, problem } = certificate
  const until = expiresAt === null ? '' : `until ${minuteTime(expiresAt, timeZone)}`
  const note = problem ?? [issuer, until].filter(Boolean).join(', ')
  if (status === 'valid')
    return { word: problem ? 'Renewal failed' : 'Valid', tone: problem ? 'warning' : 'good', note }
  if (status === 'failed') return { word: 'Failed', tone: 'bad', note }
  return isBusy ? { word: 'In progress', tone: 'busy', note } : { word: 'None yet', tone: 'warning', note }
}

const Fact = ({ name, word, tone, note }: Standing & { name: string }) => (
  <div className={classes.fact}>
    <span className={classes.factName}>{name}</span>
    <Status word={word} tone={tone} />
    <span className={classes.note}>{note}</span>
  </div>
)

const kindOf = ({ primary, dev }: SiteHostname) =>
  [primary ? 'Primary' : 'Redirects to the primary domain', dev ? 'dev name' : ''].filter(Boolean).join(', ')

interface DomainsTableProps extends Shown {
  items: readonly SiteHostname[]
  mayChange: boolean
  onChange: (change: NamesChange) => void
}

/** The names of a site with how DNS and certificate stand. */
export const DomainsTable = ({ items, mayChange, onChange, ...shown }: DomainsTableProps) => (
  <Card flush>
    <ul className={classes.names} aria-label="Domains">
      {items.map(item => (
        <li key={item.hostname} className={classes.item}>
          <div className={classes.name}>
            <strong>{item.unicode}</strong>
            <span className={classes.note}>
              {kindOf(item)}
              {item.unicode !== item.hostname && `, ${item.hostname}`}
            </span>
          </div>
          <Fact name="DNS" {...dnsOf(item)} />
          <Fact name="Certificate" {...certificateOf(item, shown)} />
          {mayChange && (
            <div className={classes.acts}>
              {!item.primary && (
                <Button variant="default" size="compact-xs" onClick={() => onChange(makePrimary(items, item))}>
                  Make primary
                </Button>
              )}
              {items.length > 1 && (
                <Button variant="default" size="compact-xs" onClick={() => onChange(removeName(items, item))}>
                  Remove
                </Button>
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  </Card>
)
