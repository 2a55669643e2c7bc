import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'

export interface SshKeyPair {
  readonly privateKey: string
  /** As it stands in an authorized_keys file. */
  readonly publicKey: string
}

export const newSshKeyPair = (comment: string): SshKeyPair => {
  const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519', { comment })
  return { privateKey, publicKey }
}

/** A key in the form of a known_hosts file, as people compare it. */
export const describeHostKey = (hostKey: string): { type: string; fingerprint: string } => {
  const [type = '', encoded = ''] = hostKey.split(' ')
  const digest = createHash('sha256').update(Buffer.from(encoded, 'base64')).digest('base64')
  return { type, fingerprint: `SHA256:${digest.replace(/=+$/, '')}` }
}
