import type { Mount } from '#drivers/docker/container-spec.ts'
import { type Options, renderConfig } from '#drivers/rclone/config.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Passphrase } from '../contract.ts'
import type { Access } from '../providers/contract.ts'

/** Where a container sees the folder of a mounted disk. */
const DISK = '/destination'
const KNOWN_HOSTS = '/tmp/known_hosts'

/** How rclone reaches a storage. */
interface Storage {
  readonly options: Options
  /** Where the copies are, as rclone names it. */
  readonly base: string
  readonly mounts?: readonly Mount[]
  /** Of the server, as in a file of known hosts. */
  readonly knownHost?: string
}

const password = (value: string | undefined) => (value === undefined ? undefined : { password: new Secret(value) })

const bucketOf = (options: Options, { bucket, path }: { bucket: string; path?: string | undefined }): Storage => ({
  options: { type: 's3', env_auth: false, no_check_bucket: true, ...options },
  base: path === undefined ? bucket : `${bucket}/${path.replace(/^\//, '')}`,
})

const sftp = ({ config, secrets }: Extract<Access, { provider: 'sftp' }>): Storage => ({
  options: {
    type: 'sftp',
    host: config.host,
    port: config.port ?? 22,
    user: config.user,
    pass: password(secrets.password),
    key_pem: secrets.privateKey && new Secret(secrets.privateKey.trim().replace(/\r?\n/g, '\\n')),
    shell_type: 'none',
    disable_hashcheck: true,
    ...(config.hostKey !== undefined && { known_hosts_file: KNOWN_HOSTS }),
  },
  base: config.path ?? '',
  ...(config.hostKey !== undefined && {
    knownHost: `${(config.port ?? 22) === 22 ? config.host : `[${config.host}]:${config.port}`} ${config.hostKey}\n`,
  }),
})

const b2 = ({ config, secrets }: Extract<Access, { provider: 'b2' }>): Storage => {
  const { region, keyId } = config
  const key = { access_key_id: keyId, secret_access_key: new Secret(secrets.applicationKey) }
  return bucketOf({ provider: 'Other', endpoint: `https://s3.${region}.backblazeb2.com`, region, ...key }, config)
}

const s3 = ({ config, secrets }: Extract<Access, { provider: 's3' }>): Storage => {
  const { endpoint, region, accessKeyId } = config
  const key = { access_key_id: accessKeyId, secret_access_key: new Secret(secrets.secretAccessKey) }
  return bucketOf({ provider: endpoint === undefined ? 'AWS' : 'Other', endpoint, region, ...key }, config)
}

const webdav = ({ config, secrets }: Extract<Access, { provider: 'webdav' }>): Storage => {
  const { url, user, path = '' } = config
  const options = { type: 'webdav', url, vendor: 'other', user, pass: password(secrets.password) }
  return { options, base: path.replace(/^\//, '') }
}

export const storageOf = (access: Access): Storage => {
  if (access.provider === 's3') return s3(access)
  if (access.provider === 'b2') return b2(access)
  if (access.provider === 'sftp') return sftp(access)
  if (access.provider === 'webdav') return webdav(access)
  return { options: { type: 'local' }, base: DISK, mounts: [{ source: access.config.path, target: DISK }] }
}

/** The remote that everything goes through; below it, the `storage` itself. */
export const REMOTE = 'offsite:'

/** Everything of one destination is in one folder there, so that panels and destinations share a storage. */
export const folderOf = (destinationId: string): string => `fleetpress-${destinationId}`

export const renderStorage = (
  { options, base }: Storage,
  { folder, passphrase }: { readonly folder: string; readonly passphrase: Passphrase | null },
): Secret => {
  const remote = `storage:${[base, folder].filter(Boolean).join('/')}`
  const top: Options =
    passphrase === null
      ? { type: 'alias', remote }
      : {
          type: 'crypt',
          remote,
          password: { password: new Secret(passphrase.password) },
          password2: { password: new Secret(passphrase.salt) },
        }
  return renderConfig({ storage: options, offsite: top })
}
