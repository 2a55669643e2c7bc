import { z } from 'zod'
import { type Cancellation, type Docker, segment, unlessMissing } from './client.ts'
import type { Limits } from './container-spec.ts'
import { demultiplex } from './output.ts'

const NANO = 1_000_000_000
const STOP_TIMEOUT_SECONDS = 10

const STATES = ['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead'] as const
const labels = z
  .record(z.string(), z.string())
  .nullish()
  .transform(value => value ?? {})

const Inspected = z.object({
  Id: z.string(),
  Name: z.string(),
  Image: z.string(),
  RestartCount: z.number(),
  State: z.object({
    Status: z.enum(STATES),
    Pid: z.number(),
    ExitCode: z.number(),
    OOMKilled: z.boolean(),
    StartedAt: z.string(),
    Health: z.object({ Status: z.string() }).nullish(),
  }),
  Config: z.object({
    Image: z.string(),
    User: z.string(),
    Labels: labels,
    Healthcheck: z.object({ Test: z.array(z.string()).nullish() }).nullish(),
  }),
  HostConfig: z.object({ Memory: z.number(), NanoCpus: z.number(), PidsLimit: z.number().nullish() }),
  NetworkSettings: z.object({ Networks: z.record(z.string(), z.object({ IPAddress: z.string() })).nullish() }),
})

const Listed = z.array(
  z.object({
    Id: z.string(),
    Names: z.array(z.string()),
    Image: z.string(),
    State: z.enum(STATES),
    Labels: labels,
  }),
)

export interface ContainerSummary {
  readonly id: string
  readonly name: string
  readonly image: string
  readonly state: (typeof STATES)[number]
  readonly labels: Readonly<Record<string, string>>
}

export interface Container extends ContainerSummary {
  readonly imageId: string
  /** As it was created, such as `33:33`. */
  readonly user: string
  /** Its first process as the host counts, 0 when it does not run. */
  readonly pid: number
  readonly exitCode: number
  readonly outOfMemory: boolean
  readonly startedAtMs: number
  readonly restartCount: number
  /** As the engine last saw it. */
  readonly health: string | undefined
  /** What the engine runs to see its health. */
  readonly healthcheck: readonly string[] | undefined
  readonly limits: Limits
  /** IPv4 by network. */
  readonly addresses: Readonly<Record<string, string>>
}

export const findContainer = async (
  docker: Docker,
  name: string,
  { signal }: Cancellation = {},
): Promise<Container | undefined> => {
  const found = await docker.json(Inspected, { path: `/containers/${segment(name)}/json`, signal }).catch(unlessMissing)
  return found && containerOf(found)
}

const containerOf = (found: z.infer<typeof Inspected>): Container => ({
  id: found.Id,
  name: found.Name.replace(/^\//, ''),
  image: found.Config.Image,
  imageId: found.Image,
  user: found.Config.User,
  state: found.State.Status,
  pid: found.State.Pid,
  exitCode: found.State.ExitCode,
  outOfMemory: found.State.OOMKilled,
  startedAtMs: Date.parse(found.State.StartedAt),
  restartCount: found.RestartCount,
  labels: found.Config.Labels,
  health: found.State.Health?.Status,
  healthcheck: found.Config.Healthcheck?.Test ?? undefined,
  limits: {
    memoryBytes: found.HostConfig.Memory,
    cpus: found.HostConfig.NanoCpus / NANO,
    pids: found.HostConfig.PidsLimit ?? 0,
  },
  addresses: Object.fromEntries(
    Object.entries(found.NetworkSettings.Networks ?? {}).map(([network, { IPAddress }]) => [network, IPAddress]),
  ),
})

/** Running or not, those that carry all of these labels. */
export const listContainers = async (
  docker: Docker,
  wanted: Readonly<Record<string, string>> = {},
  { signal }: Cancellation = {},
): Promise<ContainerSummary[]> => {
  const listed = await docker.json(Listed, {
    path: '/containers/json',
    query: { all: true, ...labelled(wanted) },
    signal,
  })
  return listed.map(({ Id, Names, Image, State, Labels }) => ({
    id: Id,
    name: (Names[0] ?? '').replace(/^\//, ''),
    image: Image,
    state: State,
    labels: Labels,
  }))
}

/** The query that asks for what carries all of these labels. */
export const labelled = (wanted: Readonly<Record<string, string>>) => ({
  filters: JSON.stringify({ label: Object.entries(wanted).map(([name, value]) => `${name}=${value}`) }),
})

export const startContainer = (docker: Docker, name: string, { signal }: Cancellation = {}): Promise<void> =>
  docker.send({ method: 'POST', path: `/containers/${segment(name)}/start`, signal })

interface StopOptions extends Cancellation {
  /** How long it may take to end by itself before it is killed. */
  readonly timeoutSeconds?: number
}

export const stopContainer = (docker: Docker, name: string, options: StopOptions = {}): Promise<void> =>
  end(docker, name, 'stop', options)

export const restartContainer = (docker: Docker, name: string, options: StopOptions = {}): Promise<void> =>
  end(docker, name, 'restart', options)

const end = (docker: Docker, name: string, how: 'stop' | 'restart', { timeoutSeconds, signal }: StopOptions) => {
  const t = timeoutSeconds ?? STOP_TIMEOUT_SECONDS
  const path = `/containers/${segment(name)}/${how}`
  return docker.send({ method: 'POST', path, query: { t }, signal, timeoutMs: t * 1000 + 60_000 })
}

export const killContainer = (
  docker: Docker,
  name: string,
  signalName: string,
  { signal }: Cancellation = {},
): Promise<void> =>
  docker.send({ method: 'POST', path: `/containers/${segment(name)}/kill`, query: { signal: signalName }, signal })

/** Its programs stand still, while connections to them are taken and wait. */
export const pauseContainer = (docker: Docker, name: string, { signal }: Cancellation = {}): Promise<void> =>
  docker.send({ method: 'POST', path: `/containers/${segment(name)}/pause`, signal })

export const unpauseContainer = (docker: Docker, name: string, { signal }: Cancellation = {}): Promise<void> =>
  docker.send({ method: 'POST', path: `/containers/${segment(name)}/unpause`, signal })

/** Ends it at once if it runs; harmless when it is absent. Its anonymous volumes go with it. */
export const removeContainer = async (docker: Docker, name: string, { signal }: Cancellation = {}): Promise<void> => {
  const query = { force: true, v: true }
  await docker.send({ method: 'DELETE', path: `/containers/${segment(name)}`, query, signal }).catch(unlessMissing)
}

interface LogOptions extends Cancellation {
  readonly lines?: number
}

/** The last lines of both outputs, in the order they were written. */
export const readLogs = async (docker: Docker, name: string, { lines = 100, signal }: LogOptions = {}) => {
  const query = { stdout: true, stderr: true, tail: lines }
  const chunks: Buffer[] = []
  const source = await docker.open({ path: `/containers/${segment(name)}/logs`, query, signal })
  try {
    await demultiplex(source, (_, chunk) => void chunks.push(chunk))
  } catch (error) {
    throw docker.failure(error)
  }
  return Buffer.concat(chunks).toString()
}
