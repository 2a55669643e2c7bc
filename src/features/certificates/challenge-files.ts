import type { HttpChallenge } from '#drivers/acme/order.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Log } from '#platform/log/log.ts'

const STALE_AFTER_MS = 86_400_000

/** The edge answers `/.well-known/acme-challenge/<token>` on every name from this folder. */
export const challengeDir = (rootDir: string): string => `${rootDir}/edge/acme`

export const challengeFiles = (host: Host, rootDir: string, log: Log): HttpChallenge => ({
  type: 'http-01',
  publish: async (token, keyAuthorization) => {
    await host.makeDir(challengeDir(rootDir))
    await host.writeFile(`${challengeDir(rootDir)}/${token}`, keyAuthorization, { mode: 0o644 })
  },
  // What the attempt itself came to is worth more than a file that stays; it goes with the stale ones.
  unpublish: token =>
    host
      .removeFile(`${challengeDir(rootDir)}/${token}`)
      .catch((error: unknown) => log.warn({ err: error }, 'could not remove a challenge file')),
})

/** Left by attempts that were killed and whose order the authority has forgotten. */
export const removeStaleChallenges = async (host: Host, rootDir: string, now: number): Promise<void> => {
  try {
    for (const { name } of await host.listDir(challengeDir(rootDir))) {
      const file = `${challengeDir(rootDir)}/${name}`
      const { kind, modifiedAtMs } = await host.stat(file)
      if (kind === 'file' && modifiedAtMs < now - STALE_AFTER_MS) await host.removeFile(file)
    }
  } catch (error) {
    if (!(error instanceof FileNotFound)) throw error
  }
}
