import { createCipheriv, randomBytes } from 'node:crypto'

/** Public and the same everywhere: it only keeps passwords in a configuration from being read over a shoulder. */
const KEY = Buffer.from('9c935b48730a554d6bfd7c63c886a92bd390198eb8128afbf4de162b8b95f638', 'hex')
const IV_BYTES = 16

/** The form in which rclone wants passwords in its configuration. */
export const obscure = (password: string, iv: Buffer = randomBytes(IV_BYTES)): string => {
  const cipher = createCipheriv('aes-256-ctr', KEY, iv)
  return Buffer.concat([iv, cipher.update(password, 'utf8'), cipher.final()]).toString('base64url')
}
