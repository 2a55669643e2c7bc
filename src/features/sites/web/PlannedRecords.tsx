import type { RecordPlan } from '#features/sites/domains/contract.ts'
import { Status, type Tone } from '#web/kit/Status.tsx'
import classes from './DnsRecords.module.css'

type Planned = RecordPlan['items'][number]

const TONES: Record<Planned['action'], Tone> = {
  create: 'busy',
  change: 'busy',
  remove: 'busy',
  keep: 'good',
  blocked: 'bad',
}

const wordOf = ({ name, type, value, action, before }: Planned): string =>
  ({
    create: `Create: ${name} ${type} ${value}`,
    change: `Change: ${name} ${type} from ${before.join(', ')} to ${value}`,
    remove: `Remove: ${name} ${type} ${value}`,
    keep: `Already right: ${name} ${type} ${value}`,
    blocked: `Can't set: ${name} ${type} ${value}`,
  })[action]

/** What the panel would change in DNS, before it does. */
export const PlannedRecords = ({ plan: { problem, items } }: { plan: RecordPlan }) => (
  <ul className={classes.records} aria-label="Planned DNS changes">
    {problem !== null && <li className={classes.note}>{problem}</li>}
    {items.map(item => (
      <li key={`${item.name} ${item.type} ${item.value}`}>
        <Status tone={TONES[item.action]} word={wordOf(item)} />
        {item.reason !== null && <p className={classes.note}>{item.reason}</p>}
      </li>
    ))}
  </ul>
)
