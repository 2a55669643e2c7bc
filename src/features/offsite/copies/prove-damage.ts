import { RcloneError, type Storage } from '#drivers/rclone/rclone.ts'
import { downloadRaw, hashRaw } from '#drivers/rclone/read-raw.ts'
import { ResticError } from '#drivers/restic/restic.ts'
import { HostError } from '#platform/host/errors.ts'

/** Of a throwaway container; in memory, and much larger than any file of a repository. */
const FOLDERS = ['/tmp/read-first', '/tmp/read-again'] as const

/** A connection that breaks looks like damage, so nothing that was seen through it counts. */
export class UnsteadyStorage extends HostError {
  readonly code = 'storage_unsteady'

  constructor(output: string) {
    super("The storage couldn't be read steadily, so no copy there was taken for damaged and none was deleted", {
      output,
    })
  }

  override get isPassing(): boolean {
    return true
  }
}

/**
 * What a file holds, read whole twice and the same both times: its SHA-256, or undefined when it can't be decrypted.
 * Anything else is no proof.
 */
export const readProven = async (storage: Storage, name: string): Promise<string | undefined> => {
  await storage.run(['rm', '-rf', '--', ...FOLDERS])
  for (const folder of FOLDERS) await downloadRaw(storage, name, folder)
  const { exitCode, stdout } = await storage.run(['diff', '--recursive', '--brief', '--', ...FOLDERS])
  if (exitCode !== 0) throw new UnsteadyStorage(stdout)
  return hashRaw(storage, name, FOLDERS[0])
}

/** For what decides about the copies of others: when the storage fails on the way, it decides nothing. */
export const steadily = async <T>(judge: () => Promise<T>): Promise<T> => {
  try {
    return await judge()
  } catch (error) {
    throw isUnsteady(error) ? new UnsteadyStorage(error.output) : error
  }
}

/** Not for what someone has to fix, such as a refused login. */
const isUnsteady = (error: unknown): error is HostError => {
  if (error instanceof RcloneError) return error.fault === undefined || error.isPassing
  return error instanceof ResticError && error.isUnsteady
}
