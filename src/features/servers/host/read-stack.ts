import { findContainer } from '#drivers/docker/containers.ts'
import { readFirewall } from '#drivers/nftables/firewall.ts'
import type { Host } from '#platform/host/host.ts'
import { STACK } from '../stack/containers.ts'
import { dockerOf } from '../stack/docker-of.ts'
import { readEngineVersion } from '../stack/engine.ts'

export interface StackState {
  /** The version of its Docker, null when that does not answer. */
  readonly docker: string | null
  readonly parts: readonly StackPart[]
  readonly firewall: boolean
}

interface StackPart {
  readonly name: string
  readonly state: string
  readonly healthy: boolean
  readonly image: string | null
}

export const readStack = async (host: Host, signal?: AbortSignal): Promise<StackState> => {
  const [docker, firewall] = await Promise.all([readEngineVersion(host, signal), readFirewall(host)])
  const parts = await Promise.all(
    Object.entries(STACK).map(([name, container]) => readPart(host, name, docker === null ? undefined : container)),
  )
  return { docker, parts, firewall: firewall !== undefined }
}

const readPart = async (host: Host, name: string, container: string | undefined): Promise<StackPart> => {
  const found = container === undefined ? undefined : await findContainer(dockerOf(host), container)
  if (!found) return { name, state: 'absent', healthy: false, image: null }
  const { state, health, image } = found
  // The engine itself asks only some seconds after the start; the panel asked before it was content.
  return { name, state, image, healthy: state === 'running' && health !== 'unhealthy' }
}
