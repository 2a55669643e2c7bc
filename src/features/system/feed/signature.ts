import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'

/** Raw Ed25519 keys are kept as base64 of their DER form, on one line. */
const publicKeyOf = (text: string) => createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })

export const signFeed = (bytes: Buffer, privateKeyPem: string): string =>
  sign(null, bytes, privateKeyPem).toString('base64')

/** Whether one of the trusted keys signed exactly these bytes. */
export const isSignedBy = (bytes: Buffer, signature: string, trusted: readonly string[]): boolean => {
  const raw = Buffer.from(signature.trim(), 'base64')
  return raw.length === 64 && trusted.some(key => verify(null, bytes, publicKeyOf(key), raw))
}

export const newReleaseKey = (): { privateKeyPem: string; publicKey: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}
