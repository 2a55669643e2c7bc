import { z } from 'zod'
import { FolderPath, HostAddress, Port } from '#platform/contract/identifiers.ts'

export const PROVIDERS = ['s3', 'b2', 'sftp', 'webdav', 'local'] as const
export type Provider = (typeof PROVIDERS)[number]

/** Ends up in a configuration file, where quotes at its start and `%(` would have a meaning. */
const Plain = z
  .string()
  .min(1)
  .max(500)
  .regex(/^(?!["'`])(?!.*%\()[^\p{Cc}\p{Z}]+$/u, 'must be printable, without spaces, quotes at its start or %(')

const Bucket = z
  .string()
  .min(3)
  .max(63)
  .regex(/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/, 'must be the name of a bucket')
const Region = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, 'must be a region such as eu-central-1')
const RemotePath = z
  .string()
  .max(500)
  .regex(
    /^\/?[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/,
    'must be a folder such as backups/sites: letters, digits, . _ and -, with no hidden part',
  )
const WebUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://storage.example.com' })
  .max(500)
  .regex(/^https?:\/\/[A-Za-z0-9.[\]:-]+(?:\/[A-Za-z0-9._~%/-]*)?$/, 'must be an address without a login or a query')
const Username = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]*$/, 'must be a username')
const HostKey = z
  .string()
  .max(2000)
  .regex(
    /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]+=*$/,
    'must be a key such as ssh-ed25519 AAAA…',
  )
const Password = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[^\p{Cc}]+$/u, 'must be one line')
const PrivateKey = z
  .string()
  .max(20_000)
  .regex(
    /^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n[A-Za-z0-9+/=\r\n:, -]+-----END [A-Z ]*PRIVATE KEY-----\s*$/,
    'must be a private key as in its file',
  )

const path = RemotePath.optional().describe('folder for the copies; its top folder when left out')

/** What each provider needs to know, and what of it is secret. */
export const providerFields = {
  s3: {
    config: z.strictObject({
      endpoint: WebUrl.optional().describe('address of the service; Amazon S3 when left out'),
      region: Region.optional().describe('region of the bucket'),
      bucket: Bucket.describe('the bucket'),
      path,
      accessKeyId: Plain.describe('id of the access key'),
    }),
    secrets: z.strictObject({ secretAccessKey: Plain }),
  },
  b2: {
    config: z.strictObject({
      region: Region.describe('such as eu-central-003, from the endpoint of the bucket'),
      bucket: Bucket.describe('the bucket'),
      path,
      keyId: Plain.describe('keyID of the application key'),
    }),
    secrets: z.strictObject({ applicationKey: Plain }),
  },
  sftp: {
    config: z.strictObject({
      host: HostAddress.describe('hostname or address'),
      port: Port.optional().describe('22 when left out'),
      user: Username.describe('username'),
      path,
      hostKey: HostKey.optional().describe(
        'public key of the server; when left out, the key of the first contact is recorded here and trusted',
      ),
    }),
    secrets: z
      .strictObject({ password: Password.optional(), privateKey: PrivateKey.optional() })
      .refine(({ password, privateKey }) => password !== undefined || privateKey !== undefined, {
        path: ['password'],
        message: 'is needed, or a private key',
      }),
  },
  webdav: {
    config: z.strictObject({
      url: WebUrl.describe('address of the folder'),
      user: Username.optional().describe('username'),
      path,
    }),
    secrets: z.strictObject({ password: Password.optional() }),
  },
  local: {
    config: z.strictObject({ path: FolderPath.describe('folder of a mounted disk, which each server must have') }),
    secrets: z.strictObject({}),
  },
} as const satisfies Record<Provider, { config: z.ZodObject; secrets: z.ZodType }>

/** A provider with everything it needs, checked. */
export type Access = {
  [P in Provider]: {
    readonly provider: P
    readonly config: z.infer<(typeof providerFields)[P]['config']>
    readonly secrets: z.infer<(typeof providerFields)[P]['secrets']>
  }
}[Provider]
