import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import type { Owner } from '#platform/host/host.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { Scope } from '#platform/scope.ts'
import type { ImageRecipe } from './images/recipes.ts'

/** What a machine can give. */
export interface Machine {
  readonly cpus: number
  readonly memoryBytes: number
}

export interface Folder {
  readonly path: string
  readonly mode: number
  readonly owner?: Owner
}

/** A service that servers run next to their sites, such as the database. A feature adds its own by `stackParts`. */
export interface StackPart {
  /** As people see it; its container is `fleetpress-<name>`. */
  readonly name: string
  readonly image: ImageRecipe
  /** Created before the container, parents first. */
  readonly folders: readonly Folder[]
  /** Other containers that it leaves behind when it is interrupted. */
  readonly temporary?: readonly string[]
  readonly healthyWithinMs: number
  /** What people notice while it is down, as a sentence. Its sites don't work if absent. */
  readonly whenDown?: string
  container(image: string, machine: Machine): ContainerSpec
  /** Whether this server needs it now. Every server does if absent. */
  isNeeded?(scope: Scope, serverId: number): Promise<boolean>
  /** Writes its configuration before the container starts; says what changed. */
  configure?(scope: StepScope, serverId: number, spec: ContainerSpec): Promise<string>
}

/** All sites wait for the edge and the database, so a site that keeps every processor busy must not hold these up. */
const CPU_SHARES = 4096

const STACK_LABEL = 'fleetpress.stack'

export const containerOf = (name: string): string => `fleetpress-${name}`

type PartContainer = Omit<ContainerSpec, 'readOnly' | 'labels' | 'restart'>

/** What the containers of all parts have in common. */
export const partContainer = (name: string, spec: Omit<PartContainer, 'name'>): ContainerSpec => ({
  cpuShares: CPU_SHARES,
  ...spec,
  name: containerOf(name),
  readOnly: true,
  labels: { [STACK_LABEL]: name },
  // Not `unless-stopped`: a signal, such as the one that makes the edge reload, counts as a stop for older engines.
  restart: 'always',
})
