import { createHash } from 'node:crypto'

export interface SshKeyPair {
  readonly privateKey: string
  /** As it stands in an authorized_keys file. */
  readonly publicKey: string
}

/** ssh2 takes leading zeros off its keys (its issue 1390), so one pair in two hundred cannot be read; those are left. */
export const newSshKeyPair = async (comment: string): Promise<SshKeyPair> => {
  const { utils } = (await import('ssh2')).default
  for (;;) {
    const pair = utils.generateKeyPairSync('ed25519', { comment })
    const isReadable = [pair.private, pair.public].every(key => !(utils.parseKey(key) instanceof Error))
    if (isReadable) return { privateKey: pair.private, publicKey: pair.public }
  }
}

/** A key in the form of a known_hosts file, as people compare it. */
export const describeHostKey = (hostKey: string): { type: string; fingerprint: string } => {
  const [type = '', encoded = ''] = hostKey.split(' ')
  const digest = createHash('sha256').update(Buffer.from(encoded, 'base64')).digest('base64')
  return { type, fingerprint: `SHA256:${digest.replace(/=+$/, '')}` }
}
