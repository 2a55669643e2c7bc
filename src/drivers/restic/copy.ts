import { type Repository, ResticError, resticArgv } from './restic.ts'

const LIMIT_MS = 24 * 3_600_000
const NO_REPOSITORY = 10

const copying = (from: string, ...words: string[]) => [...words, '--from-repo', from, '--from-insecure-no-password']

export const hasRepository = async ({ run, folder }: Repository): Promise<boolean> => {
  const { exitCode, stderr } = await run(resticArgv(folder, 'cat', 'config'))
  if (exitCode !== 0 && exitCode !== NO_REPOSITORY)
    throw new ResticError(exitCode, `restic cat ended with exit code ${exitCode}`, stderr)
  return exitCode === 0
}

/** Cuts files where the other repository does, so that data which is in both is the same. */
export const initLike = async ({ run, folder }: Repository, from: string): Promise<void> => {
  const { exitCode, stderr } = await run(resticArgv(folder, ...copying(from, 'init', '--copy-chunker-params')))
  if (exitCode !== 0) throw new ResticError(exitCode, `restic init ended with exit code ${exitCode}`, stderr)
}

/** What is there already is not copied again. Every part is compared with its name while it is read. */
export const copySnapshot = async ({ run, folder }: Repository, from: string, snapshotId: string): Promise<void> => {
  const argv = resticArgv(folder, ...copying(from, 'copy', '--quiet'), snapshotId)
  const { exitCode, stderr } = await run(argv, { timeoutMs: LIMIT_MS })
  if (exitCode !== 0) throw new ResticError(exitCode, `restic copy ended with exit code ${exitCode}`, stderr)
}
