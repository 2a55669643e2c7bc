import { z } from 'zod'
import { exec, withEnv } from '#platform/host/command.ts'
import { HostError } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { withHostLock } from '#platform/host/lock.ts'
import { type BlockedNetwork, type Firewall, renderFirewall, TABLE } from './render-firewall.ts'

/** Whatever nft refuses; the table before it is still in effect. */
export class FirewallFailed extends HostError {
  readonly code = 'firewall_failed'
}

/** What a shell answers, for a machine that has no nft yet. */
const NO_SUCH_PROGRAM = 127
const MAX_TABLE_BYTES = 256 * 1024 * 1024

/**
 * Puts the table in effect, or leaves the one before where nft refuses it. It goes through a file, since input that breaks
 * off could hold the deletion alone; the file stays, so that the machine can load it when it starts. The table is read
 * under a lock on the server, so an older one never replaces a newer one.
 */
export const ensureFirewall = (host: Host, file: string, read: () => Promise<Firewall>): Promise<void> =>
  withHostLock(host, `${file}.lock`, async lost => {
    const next = `${file}.next`
    await host.writeFile(next, renderFirewall(await read()))
    lost.throwIfAborted()
    const { exitCode, stderr } = await host.run(exec('nft', '-f', next), { allowExitCodes: [1] })
    if (exitCode !== 0) {
      await host.removeFile(next)
      throw new FirewallFailed('nft refused the new table', { output: stderr })
    }
    await host.run(exec('mv', '-T', next, file))
  })

export const removeFirewall = async (host: Host, file: string): Promise<void> => {
  await host.removeFile(file)
  for (const beside of ['next', 'lock']) await host.removeFile(`${file}.${beside}`)
  // Made first, because deleting what is not there would fail.
  await host.run(exec('nft', `table inet ${TABLE} {}; delete table inet ${TABLE}`))
}

/** What is in effect, with the time that is left of a blocked network's; undefined when there is no table. */
export const readFirewall = async (host: Host): Promise<Firewall | undefined> => {
  const list = withEnv(exec('nft', '-j', 'list', 'table', 'inet', TABLE), { LC_ALL: 'C' })
  const { exitCode, stdout, stderr } = await host.run(list, {
    allowExitCodes: [1, NO_SUCH_PROGRAM],
    maxOutputBytes: MAX_TABLE_BYTES,
  })
  if (exitCode === NO_SUCH_PROGRAM) return undefined
  if (exitCode !== 0 && stderr.includes('No such file or directory')) return undefined
  if (exitCode !== 0) throw new FirewallFailed("nft couldn't show the table", { output: stderr })
  const sets = new Map(
    listing.parse(JSON.parse(stdout)).nftables.flatMap(({ set }) => (set ? [[set.name, set.elem]] : [])),
  )
  const elementsOf = (...names: string[]) => names.flatMap(name => sets.get(name) ?? []).map(blockedOf)
  const networksOf = (name: string) => elementsOf(`${name}4`, `${name}6`).map(({ network }) => network)
  return {
    blocked: elementsOf('blocked4', 'blocked6'),
    sites: networksOf('sites'),
    sitePorts: elementsOf('site_ports').map(({ network }) => Number(network)),
    refused: networksOf('refused'),
    resolvers: networksOf('resolvers'),
  }
}

const plain = z.union([
  z.string(),
  z.number().transform(String),
  z
    .object({ prefix: z.object({ addr: z.string(), len: z.number() }) })
    .transform(({ prefix }) => `${prefix.addr}/${prefix.len}`),
])

const timed = z.object({ elem: z.object({ val: plain, expires: z.number().optional() }) })

const listing = z.object({
  nftables: z.array(
    z.object({ set: z.object({ name: z.string(), elem: z.array(z.union([plain, timed])).default([]) }).optional() }),
  ),
})

const blockedOf = (element: z.infer<typeof plain> | z.infer<typeof timed>): BlockedNetwork => {
  if (typeof element === 'string') return { network: element }
  const { val: network, expires } = element.elem
  return expires === undefined ? { network } : { network, timeoutSeconds: expires }
}
