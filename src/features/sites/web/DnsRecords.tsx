import type { MissingRecord } from '#features/sites/domains/contract.ts'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { Status } from '#web/kit/Status.tsx'
import classes from './DnsRecords.module.css'

const nowOf = ({ found, problem }: MissingRecord): string =>
  problem ?? (found.length > 0 ? `Points to ${found.join(', ')}` : 'Does not resolve')

interface DnsRecordsProps {
  records: readonly MissingRecord[]
  addresses: readonly string[]
}

/** The records that are still to be set, each with its value to copy. */
export const DnsRecords = ({ records, addresses }: DnsRecordsProps) => {
  if (records.length === 0) return <Status tone="good" word="DNS points to this server" />
  if (addresses.length === 0)
    return <p className={classes.note}>No public address of this server is known. Set its public IP in its settings.</p>
  return (
    <ul className={classes.records}>
      {records.map(record => (
        <li key={`${record.hostname} ${record.value}`}>
          <CopyField label={`${record.type} record of ${record.hostname}`} value={record.value ?? ''} />
          <p className={classes.note}>{nowOf(record)}</p>
        </li>
      ))}
    </ul>
  )
}
