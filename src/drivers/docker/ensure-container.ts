import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Cancellation, type Docker, DockerError, segment } from './client.ts'
import {
  type ContainerSpec,
  type Limits,
  limitFields,
  SPEC_LABEL,
  specHash,
  specToCreateBody,
} from './container-spec.ts'
import {
  type Container,
  findContainer,
  readLogs,
  removeContainer,
  startContainer,
  stopContainer,
  unpauseContainer,
} from './containers.ts'
import { execIn } from './exec.ts'

const HEALTH_PAUSE_MS = 200
const HEALTH_TIMEOUT_MS = 60_000
const UPDATE_TRIES = 20
const UPDATE_PAUSE_MS = 100

const Created = z.object({ Id: z.string() })

/** What had to be done to have the container as asked. */
export type Change = 'none' | 'started' | 'limits' | 'created' | 'recreated'

/** The container runs as the specification says. Limits are changed in place, anything else by a new container. */
export const ensureContainer = async (
  docker: Docker,
  spec: ContainerSpec,
  { signal }: Cancellation = {},
): Promise<Change> => {
  const found = await findContainer(docker, spec.name, { signal })
  if (found === undefined) {
    await create(docker, spec, { signal })
    return 'created'
  }
  const hash = found.labels[SPEC_LABEL]
  if (hash === undefined) {
    throw new DockerError(409, `another container is already named ${spec.name}: remove or rename it`)
  }
  if (hash === specHash(spec)) return keep(docker, found, spec, { signal })
  await create(docker, spec, { signal })
  return 'recreated'
}

const keep = async (docker: Docker, found: Container, spec: ContainerSpec, cancel: Cancellation): Promise<Change> => {
  const others = !sameLimits(found.limits, spec.limits)
  if (others) await updateLimits(docker, spec.name, spec.limits, cancel)
  if (found.state === 'paused') {
    await unpauseContainer(docker, spec.name, cancel)
    return 'started'
  }
  if (found.state !== 'running') {
    await startContainer(docker, spec.name, cancel)
    return 'started'
  }
  return others ? 'limits' : 'none'
}

/** The new one is made before the old one goes, so a specification that the engine refuses stops nothing. */
const create = async (docker: Docker, spec: ContainerSpec, { signal }: Cancellation): Promise<void> => {
  const next = nextOf(spec.name)
  await removeContainer(docker, next, { signal })
  const body = specToCreateBody(spec)
  await docker.json(Created, { method: 'POST', path: '/containers/create', query: { name: next }, body, signal })
  if (await findContainer(docker, spec.name, { signal })) {
    await stopContainer(docker, spec.name, { timeoutSeconds: spec.stopTimeoutSeconds ?? 10, signal })
    await removeContainer(docker, spec.name, { signal })
  }
  await docker.send({ method: 'POST', path: `/containers/${segment(next)}/rename`, query: { name: spec.name }, signal })
  await startContainer(docker, spec.name, { signal })
}

const nextOf = (name: string): string => `${name}.next`

/** Removes it with what an interrupted `ensureContainer` has left next to it. */
export const dropContainer = async (docker: Docker, name: string, { signal }: Cancellation = {}): Promise<void> => {
  for (const each of [nextOf(name), name]) await removeContainer(docker, each, { signal })
}

/** While it runs, without a restart. */
export const updateLimits = async (
  docker: Docker,
  name: string,
  limits: Limits,
  { signal }: Cancellation = {},
): Promise<void> => {
  const body = limitFields(limits)
  for (let tries = 1; ; tries += 1) {
    try {
      return await docker.send({ method: 'POST', path: `/containers/${segment(name)}/update`, body, signal })
    } catch (error) {
      // One that has just ended still counts as running for a moment, and then takes its limits without complaint.
      const hasJustEnded = error instanceof DockerError && error.output.includes('stopped container')
      if (!hasJustEnded || tries === UPDATE_TRIES) throw error
      await sleep(UPDATE_PAUSE_MS)
    }
  }
}

const sameLimits = (a: Limits, b: Limits): boolean => JSON.stringify(limitFields(a)) === JSON.stringify(limitFields(b))

interface WaitOptions extends Cancellation {
  readonly timeoutMs?: number
}

/** Runs the container's own health check at once, since the engine would let its whole interval pass first. */
export const waitHealthy = async (docker: Docker, name: string, options: WaitOptions = {}): Promise<void> => {
  const { timeoutMs = HEALTH_TIMEOUT_MS, signal } = options
  const until = Date.now() + timeoutMs
  for (;;) {
    const container = await findContainer(docker, name, { signal })
    if (container === undefined) throw new DockerError(404, `there is no container ${name}`)
    if (container.state === 'exited' || container.state === 'dead') {
      const lastLines = (await readLogs(docker, name, { lines: 5, signal })).trim()
      throw new DockerError(409, `${name} ended with exit code ${container.exitCode}`, lastLines)
    }
    const complaint = await complaintOf(docker, container, { signal })
    if (complaint === undefined) return
    if (Date.now() > until) throw new DockerError(504, `${name} is not healthy after ${timeoutMs} ms`, complaint)
    // The next question throws the reason of an abort.
    await sleep(HEALTH_PAUSE_MS, undefined, signal && { signal }).catch(() => {})
  }
}

const complaintOf = async (
  docker: Docker,
  { name, state, healthcheck }: Container,
  { signal }: Cancellation,
): Promise<string | undefined> => {
  if (state !== 'running') return `it is ${state}`
  const [how, ...words] = healthcheck ?? ['NONE']
  const [program, ...rest] = how === 'CMD-SHELL' ? ['/bin/sh', '-c', ...words] : words
  if (how === 'NONE' || program === undefined) return undefined
  try {
    const checked = await execIn(docker, name, [program, ...rest], { timeoutMs: 15_000, signal })
    return checked.exitCode === 0 ? undefined : `${checked.stdout}${checked.stderr}`.trim()
  } catch (error) {
    // It may have ended, or not have started yet, between the two questions.
    if (error instanceof DockerError) return error.output || error.message
    throw error
  }
}
