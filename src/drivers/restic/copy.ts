import { type Repository, ResticError, resticArgv } from './restic.ts'

const LIMIT_MS = 24 * 3_600_000

/** What is there already is not copied again. Every part is compared with its name while it is read. */
export const copySnapshot = async ({ run, folder }: Repository, from: string, snapshotId: string): Promise<void> => {
  const source = ['--from-repo', from, '--from-insecure-no-password']
  const argv = resticArgv(folder, 'copy', '--quiet', ...source, snapshotId)
  const { exitCode, stderr } = await run(argv, { timeoutMs: LIMIT_MS })
  if (exitCode !== 0) throw new ResticError(exitCode, `restic copy ended with exit code ${exitCode}`, stderr)
}
