import { execIn } from '#drivers/docker/exec.ts'
import { dockerOf } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Secret } from '#platform/host/secret.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { siteName } from '../network.ts'
import type { SiteRow } from '../site-store.ts'

type Work = Pick<StepContext, 'hosts' | 'signal'>

interface WpOptions {
  /** For a value that WP-CLI asks for because of `--prompt`. */
  readonly stdin?: Secret
  readonly allowExitCodes?: readonly number[]
  /** A minute if absent. */
  readonly timeoutMs?: number
}

/** WP-CLI inside the site, as its own account, with no shell in between. */
export const wp = async (
  { hosts, signal }: Work,
  site: SiteRow,
  words: readonly string[],
  { stdin, allowExitCodes = [], timeoutMs }: WpOptions = {},
) => {
  const docker = dockerOf(hosts.get(site.server_id))
  const ended = await execIn(docker, siteName(site.slug), ['wp', ...words], {
    signal,
    ...(stdin && { stdin }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  if (ended.exitCode === 0 || allowExitCodes.includes(ended.exitCode)) return ended
  const command = ['wp', ...words.slice(0, 2)].join(' ')
  throw new Problem('conflict', `WordPress returned an error: ${command} failed.`, null, { output: ended.stderr })
}
