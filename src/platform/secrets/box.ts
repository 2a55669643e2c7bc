import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Seals small texts with the master key. What it seals is useless without the key and cannot be moved elsewhere. */
export interface SecretBox {
  /** `purpose` is bound to the sealed text: opening it for another purpose fails. */
  seal(purpose: string, text: string): string
  open(purpose: string, sealed: string): string
  /** A key derived from the master key, for signing things such as CSRF tokens. */
  derive(purpose: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

export const secretBox = (masterKey: Buffer): SecretBox => {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `fleetpress:${purpose}`, 32))
  const sealingKey = derive('seal')
  return {
    derive,
    seal: (purpose, text) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open: (purpose, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      // The length is stated, or a text that was cut short would be let through on what is left of its tag.
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      )
    },
  }
}
