import { dropContainer, ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { Scope } from '#platform/scope.ts'
import { dockerOf } from './docker-of.ts'
import type { ImageRecipe } from './images/recipes.ts'
import { containerOf, type Machine, type StackPart } from './part.ts'

/** Every part that any feature adds, in the order they are started. */
export const listParts = async (scope: Scope): Promise<StackPart[]> => {
  const parts = (await scope.events.raise(scope, 'stackParts', {})).flat()
  const names = parts.map(({ name }) => name)
  if (new Set(names).size !== names.length) throw new Error(`two features add the same part: ${names.join(', ')}`)
  return parts
}

/** Of containers that come and go, as any feature names them. */
export const listImages = async (scope: Scope): Promise<ImageRecipe[]> =>
  (await scope.events.raise(scope, 'stackImages', {})).flat()

export const neededParts = async (scope: Scope, serverId: number): Promise<StackPart[]> => {
  const parts = await listParts(scope)
  const needed = await Promise.all(parts.map(async part => !part.isNeeded || (await part.isNeeded(scope, serverId))))
  return parts.filter((_, at) => needed[at])
}

/** The part runs as it should and answers; what is right already is left alone. */
export const startPart = async (
  scope: StepScope,
  serverId: number,
  part: StackPart,
  { image, machine }: { image: string; machine: Machine },
): Promise<void> => {
  const { hosts, signal, say } = scope
  const docker = dockerOf(hosts.get(serverId))
  const spec = part.container(image, machine)
  const configured = await part.configure?.(scope, serverId, spec)
  const change = await ensureContainer(docker, spec, { signal })
  await waitHealthy(docker, spec.name, { timeoutMs: part.healthyWithinMs, signal })
  const container = `container ${change === 'none' ? 'unchanged' : change}`
  say(`${part.name}: running (${configured === undefined ? container : `${container}, ${configured}`}).`)
}

/** Harmless when it does not run. */
export const removePart = async (
  { hosts }: Pick<Scope, 'hosts'>,
  serverId: number,
  { name, temporary = [] }: StackPart,
): Promise<void> => {
  for (const container of [...temporary, containerOf(name)])
    await dropContainer(dockerOf(hosts.get(serverId)), container)
}
