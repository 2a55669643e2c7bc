import { findContainer } from '#drivers/docker/containers.ts'
import { waitHealthy } from '#drivers/docker/ensure-container.ts'
import { readFirewall } from '#drivers/nftables/firewall.ts'
import type { StackState } from '#features/servers/index.ts'
import type { Host } from '#platform/host/host.ts'
import type { Scope } from '#platform/scope.ts'
import { dockerOf } from './docker-of.ts'
import { readEngineVersion } from './engine.ts'
import { containerOf, type StackPart } from './part.ts'
import { listParts } from './parts.ts'

type PartState = StackState['parts'][number]

/** What runs on a machine. A part that not every server needs is left out where it does not run. */
export const readStack = async (scope: Scope, host: Host, signal?: AbortSignal): Promise<StackState> => {
  const [docker, firewall] = await Promise.all([readEngineVersion(host, signal), readFirewall(host)])
  const isUp = docker !== null
  const parts = await Promise.all((await listParts(scope)).map(part => readPart(host, part, isUp)))
  return { docker, parts: parts.flat(), firewall: firewall !== undefined }
}

const isHealthyNow = (host: Host, name: string): Promise<boolean> =>
  waitHealthy(dockerOf(host), containerOf(name), { timeoutMs: 0 }).then(
    () => true,
    () => false,
  )

const readPart = async (host: Host, { name, isNeeded }: StackPart, isUp: boolean): Promise<PartState[]> => {
  const found = isUp ? await findContainer(dockerOf(host), containerOf(name)) : undefined
  if (!found) return isNeeded ? [] : [{ name, state: 'absent', healthy: false, image: null }]
  const { state, health, image } = found
  // The engine itself checks only now and then: a part that was slow to start may answer long before the engine knows.
  const healthy = state === 'running' && (health !== 'unhealthy' || (await isHealthyNow(host, name)))
  return [{ name, state, image, healthy }]
}
