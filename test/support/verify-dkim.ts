import { createHash, createPublicKey, verify } from 'node:crypto'

export interface Verified {
  readonly domain: string
  readonly selector: string
  readonly isValid: boolean
}

/** Checks the signature of a message as a receiver does: relaxed headers, simple body, RSA with SHA-256. */
export const verifyDkim = (
  message: string,
  keyOf: (selector: string, domain: string) => string,
): Verified | undefined => {
  const at = message.indexOf('\r\n\r\n')
  const headers = message.slice(0, at).split(/\r\n(?![ \t])/)
  const signature = headers.find(header => /^dkim-signature:/i.test(header))
  if (signature === undefined) return undefined
  const tags = tagsOf(signature.slice(signature.indexOf(':') + 1))
  const [domain = '', selector = ''] = [tags.get('d'), tags.get('s')]
  const body = `${message.slice(at + 4).replace(/(\r\n)*$/, '')}\r\n`
  const hash = createHash('sha256').update(body, 'utf8').digest('base64')
  const left = headers.toReversed()
  const signed = (tags.get('h') ?? '').split(':').flatMap(name => take(left, name.trim()))
  const own = relaxed(signature.replace(/([;\s]b=)[^;]*/, '$1'))
  const key = createPublicKey({ key: Buffer.from(keyOf(selector, domain), 'base64'), format: 'der', type: 'spki' })
  const text = Buffer.from(`${signed.map(header => `${relaxed(header)}\r\n`).join('')}${own}`)
  const isValid = hash === tags.get('bh') && verify('sha256', text, key, Buffer.from(tags.get('b') ?? '', 'base64'))
  return { domain, selector, isValid }
}

const tagsOf = (text: string): Map<string, string> =>
  new Map(
    text.split(';').map(tag => {
      const [name = '', ...value] = tag.split('=')
      return [name.trim(), value.join('=').replace(/\s+/g, '')]
    }),
  )

/** The last one of a name first; a name that is there no more stands for nothing. */
const take = (left: string[], name: string): string[] => {
  const index = left.findIndex(header => header.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return index < 0 ? [] : left.splice(index, 1)
}

const relaxed = (header: string): string => {
  const [name = '', ...value] = header.split(':')
  return `${name.toLowerCase().trim()}:${value
    .join(':')
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`
}
