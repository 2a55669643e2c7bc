import { exec, into, withStdin } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { siteNetwork } from './network.ts'
import { hostsFile } from './paths.ts'
import { listHostnames, type SiteRow } from './site-store.ts'

type Work = Pick<StepContext, 'db' | 'hosts' | 'signal'>

const LOOPBACK = '127.0.0.1 localhost\n::1 localhost\n'

/** A site reaches its own names through the edge of its server, whatever DNS says. The primary name comes first. */
export const writeHosts = async ({ db, hosts, signal }: Work, site: SiteRow): Promise<void> => {
  const { slug, network_index } = site
  const serving = (await listHostnames(db, [slug])).get(slug) ?? []
  const arriving = (await listHostnames(db, [slug], 'arriving')).get(slug) ?? []
  const { gateway } = siteNetwork(slug, network_index)
  const text = `${LOOPBACK}${gateway} ${[...serving, ...arriving].join(' ')}\n`
  const host = hosts.get(site.server_id)
  const path = hostsFile(slug)
  const before = await readHosts(host, path)
  if (before === undefined) await host.writeFile(path, text, { mode: 0o644 })
  // The container has this very file mounted: one that took its place would not be seen.
  else if (before !== text) await host.run(into(path, withStdin(exec('cat'), text)), { signal })
}

const readHosts = async (host: Host, path: string): Promise<string | undefined> => {
  try {
    return (await host.readFile(path)).toString()
  } catch (error) {
    if (error instanceof FileNotFound) return undefined
    throw error
  }
}
