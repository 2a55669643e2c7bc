import { CopyField } from '#web/kit/CopyButton.tsx'
import { Status } from '#web/kit/Status.tsx'
import type { DnsRecord, MailDomain, RecordCheck } from '../domains/contract.ts'
import classes from './Mail.module.css'
import { verdictWords } from './words.ts'

/** A record with its name and value to copy. */
const RecordFields = ({ record: { name, type, content } }: { record: DnsRecord }) => (
  <>
    <CopyField label={`${type} record`} value={name} />
    <CopyField label="Value" value={content} />
  </>
)

const Check = ({ title, check }: { title: string; check: RecordCheck }) => (
  <li>
    <div className={classes.head}>
      <strong>{title}</strong>
      <Status {...verdictWords[check.verdict]} />
    </div>
    <p className={classes.note}>{check.message}</p>
    {check.current.map(text => (
      <p key={text} className={classes.note}>
        Now: <code>{text}</code>
      </p>
    ))}
    {check.resolvers?.map(text => (
      <p key={text} className={classes.note}>
        At resolvers: <code>{text}</code>
      </p>
    ))}
    {check.record && <RecordFields record={check.record} />}
  </li>
)

/** A verdict for each of the three, and what to publish. */
export const DomainRecords = ({ domain: { spf, dkim, dmarc } }: { domain: MailDomain }) => (
  <ul className={classes.records}>
    <Check title="SPF" check={spf} />
    <Check title="DKIM" check={dkim} />
    <Check title="DMARC" check={dmarc} />
  </ul>
)
