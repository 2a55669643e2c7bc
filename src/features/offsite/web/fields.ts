import type { Provider } from '../providers/contract.ts'

export interface Field {
  /** As the API names it: `config.bucket`, `secrets.password`. */
  readonly path: string
  readonly label: string
  readonly placeholder?: string
  readonly description?: string
  readonly kind?: 'secret' | 'lines'
}

const path: Field = { path: 'config.path', label: 'Folder (optional)', placeholder: 'backups' }
const bucket: Field = { path: 'config.bucket', label: 'Bucket' }

/** What a person fills in, in this order. */
export const providerForms: Record<Provider, readonly Field[]> = {
  s3: [
    {
      path: 'config.endpoint',
      label: 'Endpoint',
      placeholder: 'https://s3.example.com',
      description: 'Empty for Amazon S3.',
    },
    { path: 'config.region', label: 'Region (optional)', placeholder: 'eu-central-1' },
    bucket,
    path,
    { path: 'config.accessKeyId', label: 'Access key id' },
    { path: 'secrets.secretAccessKey', label: 'Secret access key', kind: 'secret' },
  ],
  b2: [
    {
      path: 'config.region',
      label: 'Region',
      placeholder: 'eu-central-003',
      description: 'The middle of the bucket’s endpoint.',
    },
    bucket,
    path,
    { path: 'config.keyId', label: 'Key id' },
    { path: 'secrets.applicationKey', label: 'Application key', kind: 'secret' },
  ],
  sftp: [
    { path: 'config.host', label: 'Hostname', placeholder: 'storage.example.com' },
    { path: 'config.port', label: 'Port (optional)', placeholder: '22' },
    { path: 'config.user', label: 'Username' },
    path,
    { path: 'secrets.password', label: 'Password', kind: 'secret', description: 'Or a private key below.' },
    { path: 'secrets.privateKey', label: 'Private key (optional)', kind: 'lines' },
    {
      path: 'config.hostKey',
      label: 'Host key (optional)',
      placeholder: 'ecdsa-sha2-nistp256 AAAA…',
      description: 'If empty, the key of the first contact is saved here. Another key is refused from then on.',
    },
  ],
  webdav: [
    { path: 'config.url', label: 'Address', placeholder: 'https://cloud.example.com/dav' },
    { path: 'config.user', label: 'Username (optional)' },
    { path: 'secrets.password', label: 'Password (optional)', kind: 'secret' },
    path,
  ],
  local: [
    {
      path: 'config.path',
      label: 'Folder',
      placeholder: '/mnt/backups',
      description: 'A disk that is mounted at this folder on every server.',
    },
  ],
}

type Filled = Readonly<Record<string, string>>

const partOf = (provider: Provider, filled: Filled, part: 'config' | 'secrets'): Record<string, string> =>
  Object.fromEntries(
    providerForms[provider]
      .filter(field => field.path.startsWith(`${part}.`) && (filled[field.path] ?? '') !== '')
      .map(field => [field.path.slice(part.length + 1), filled[field.path] ?? '']),
  )

/** What was filled in, as the API takes it. Fields that are empty are left out. */
export const accessOf = (provider: Provider, filled: Filled) => {
  const { port, ...config } = partOf(provider, filled, 'config')
  return {
    config: { ...config, ...(port !== undefined && { port: Number(port) }) } as Record<string, string | number>,
    secrets: partOf(provider, filled, 'secrets'),
  }
}

export const filledFrom = (config: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [`config.${name}`, String(value)]))
