import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3

const hasRoom = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}

/** Temporary files that need no disk, so that no test waits for one; on a machine with little memory they stay there. */
export const withMemoryFolder = async <T>(
  env: NodeJS.ProcessEnv,
  work: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> => {
  if (!hasRoom()) return work(env)
  const folder = mkdtempSync(`${MEMORY}/fleetpress-tests-`)
  // As /tmp is: some of what tests start runs as another user.
  chmodSync(folder, 0o1777)
  try {
    return await work({ ...env, TMPDIR: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
