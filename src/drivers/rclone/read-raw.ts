import { NO_HASH, RcloneError, type Storage } from './rclone.ts'

/** A remote that encrypts takes bytes for what they are with this; one that does not ignores it. */
const RAW = 'no_data_encryption=true'

/** The same remote with other options, as rclone spells it. */
const withOptions = ({ remote }: Storage, ...options: string[]): string =>
  `${[remote.replace(/:$/, ''), ...options].join(',')}:`

/** Brings a file as it is stored, encrypted or not, to a folder that stands for the storage. Whole, or it throws. */
export const downloadRaw = async (storage: Storage, name: string, folder: string): Promise<void> => {
  const [from, to] = [withOptions(storage, RAW), withOptions(storage, RAW, `remote=${folder}`)]
  const { exitCode, stderr } = await storage.run(['rclone', 'copyto', '--', `${from}${name}`, `${to}${name}`])
  if (exitCode !== 0) throw new RcloneError(exitCode, 'a file could not be read to its end', stderr)
}

/** The SHA-256 of a file in such a folder; undefined when it can't be decrypted. The storage is not asked. */
export const hashRaw = async (storage: Storage, name: string, folder: string): Promise<string | undefined> => {
  const file = `${withOptions(storage, `remote=${folder}`)}${name}`
  const { exitCode, stdout, stderr } = await storage.run(['rclone', 'hashsum', 'sha256', '--download', '--', file])
  if (exitCode !== 0 && !NO_HASH.includes(exitCode))
    throw new RcloneError(exitCode, `rclone hashsum ended with exit code ${exitCode}`, stderr)
  return /^[0-9a-f]{64}(?= )/.exec(stdout)?.[0]
}
