import type { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import type { SecretBox } from '#platform/secrets/box.ts'
import type { Passphrase } from '../contract.ts'
import type { DestinationRow } from '../destinations/destination-store.ts'
import { type Access, type Provider, providerFields } from '../providers/contract.ts'

type Fields = Readonly<Record<string, unknown>>

/** As the schemas of the provider want it; refuses what they don't know. */
export const checkAccess = (provider: Provider, config: Fields, secrets: Fields): Access => {
  const fields = providerFields[provider]
  return {
    provider,
    config: checked(fields.config, config, 'config'),
    secrets: checked(fields.secrets, secrets, 'secrets'),
  } as Access
}

const checked = (schema: z.ZodType, value: Fields, part: string): unknown => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map(issue => ({
    in: 'body',
    path: [part, ...issue.path, ...('keys' in issue ? issue.keys : [])].join('.'),
    message: issue.message,
  }))
  throw new Problem(
    'validation_error',
    `The request is not valid: ${details[0]?.path} ${details[0]?.message}.`,
    details,
  )
}

const secretsPurpose = (id: string) => `backup-destination:${id}`
const passphrasePurpose = (id: string) => `backup-destination-passphrase:${id}`

export const sealSecrets = (box: SecretBox, id: string, { secrets }: Access) => ({
  sealed_secrets: box.seal(secretsPurpose(id), JSON.stringify(secrets)),
  secret_names: JSON.stringify(Object.keys(secrets).toSorted()),
})

/** Sealed with another master key, for instance after a restore, they are lost. */
const opened = (box: SecretBox, purpose: string, sealed: string): unknown => {
  try {
    return JSON.parse(box.open(purpose, sealed))
  } catch {
    throw new Problem('conflict', 'The stored secrets can no longer be read. Remove this destination and add it again.')
  }
}

export const openSecrets = (box: SecretBox, { id, sealed_secrets }: DestinationRow): Record<string, string> =>
  opened(box, secretsPurpose(id), sealed_secrets) as Record<string, string>

export const accessOf = (box: SecretBox, row: DestinationRow): Access =>
  ({ provider: row.provider, config: JSON.parse(row.config), secrets: openSecrets(box, row) }) as Access

export const sealPassphrase = (box: SecretBox, id: string, passphrase: Passphrase): string =>
  box.seal(passphrasePurpose(id), JSON.stringify(passphrase))

export const openPassphrase = (box: SecretBox, { id, sealed_passphrase }: DestinationRow): Passphrase | null =>
  sealed_passphrase === null ? null : (opened(box, passphrasePurpose(id), sealed_passphrase) as Passphrase)
