import { execIn } from '#drivers/docker/exec.ts'
import { type SiteRow, siteName } from '#features/sites/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { HostTimeout } from '#platform/host/errors.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Scope } from '#platform/scope.ts'

const CAP_SECONDS = 55
const MAX_OUTPUT_BYTES = 4 * 1024 ** 2

/** Without a pager: there is none in the container, and no one to turn pages. */
export const WP = ['env', 'PAGER=cat', 'wp'] as const

export type CliWork = Pick<Scope, 'hosts'>

/** Runs WP-CLI while the caller waits. What takes longer is stopped. */
export const runCli = async ({ hosts }: CliWork, site: SiteRow, args: readonly string[], stdin?: string) => {
  try {
    return await execIn(dockerOf(hosts.get(site.server_id)), siteName(site.slug), [...WP, ...args], {
      timeoutMs: CAP_SECONDS * 1000,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      ...(stdin !== undefined && { stdin: new Secret(stdin) }),
    })
  } catch (error) {
    if (!(error instanceof HostTimeout)) throw error
    throw new Problem('timeout', `The command ran past ${CAP_SECONDS} seconds and was stopped. Run it with async.`)
  }
}
