import { CopyField } from '#web/kit/CopyButton.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import type { FtpEndpoint, SiteFtp } from '../contract.ts'
import classes from './FtpTab.module.css'
import { statusWords } from './words.ts'

const keyNames: Record<string, string> = { ed25519: 'ED25519 key', rsa: 'RSA key' }

const Fingerprints = ({ endpoint: { hostKeys, certificateFingerprint } }: { endpoint: FtpEndpoint }) => (
  <div className={classes.stack}>
    {hostKeys.map(({ type, fingerprint }) => (
      <CopyField key={type} label={keyNames[type] ?? type} value={fingerprint} />
    ))}
    {certificateFingerprint && <CopyField label="Certificate" value={certificateFingerprint} />}
  </div>
)

/** What a client has to be told, and what it shows at the first connection. */
export const Connection = ({ endpoint, status }: { endpoint: FtpEndpoint; status: SiteFtp['status'] }) => (
  <Section
    title="Connection"
    about="Clients show a fingerprint at the first connection. Compare it with the one below."
    actions={<Status {...statusWords[status]} />}
  >
    <div className={classes.fields}>
      <CopyField label="Host" value={endpoint.host} />
      <CopyField label="SFTP port" value={String(endpoint.sftpPort)} />
      <CopyField label="FTP port" value={String(endpoint.ftpPort)} />
      <CopyField label="Passive ports" value={`${endpoint.passivePorts.from}-${endpoint.passivePorts.to}`} />
    </div>
    <Fingerprints endpoint={endpoint} />
    <p className={classes.hint}>
      SFTP is the simplest. FTP works with explicit TLS only; plain FTP is refused. Its certificate was made by the
      server itself, so clients ask once whether to trust it.
    </p>
  </Section>
)
