import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { DockerError } from './client.ts'

/**
 * A container as a plain value. What it cannot say cannot be had: privileges, devices, the host's processes or its
 * memory. Every capability is dropped but those named, and no program in it can gain any.
 */
export interface ContainerSpec {
  readonly name: string
  readonly image: string
  /** That of the image if absent. */
  readonly entrypoint?: readonly string[]
  /** Replaces the command of the image, not its entrypoint. */
  readonly command?: readonly string[]
  /** Numbers, such as `33:33`; that of the image if absent. */
  readonly user?: string
  readonly readOnly: boolean
  readonly mounts?: readonly Mount[]
  readonly tmpfs?: readonly Tmpfs[]
  readonly capAdd?: readonly string[]
  readonly network: ContainerNetwork
  readonly limits: Limits
  /** Anyone who may ask the engine can read these, so never a secret. */
  readonly env?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  /** That of the image if absent. */
  readonly healthcheck?: Healthcheck
  readonly restart: 'no' | 'on-failure' | 'unless-stopped' | 'always'
  readonly stopTimeoutSeconds?: number
  /** A first process that collects the dead ones and hands on signals. */
  readonly init?: boolean
  /** Its part of busy processors, next to containers with 1024, which is what the engine gives if absent. */
  readonly cpuShares?: number
  /** What is kept of its output, 10 MB if absent. */
  readonly logMaxBytes?: number
}

export interface Mount {
  readonly source: string
  readonly target: string
  readonly readOnly?: boolean
}

export interface Tmpfs {
  readonly target: string
  readonly sizeBytes: number
  readonly uid?: number
  readonly gid?: number
  /** 1777 if absent. */
  readonly mode?: number
}

export type ContainerNetwork = 'none' | 'host' | { readonly name: string; readonly ip?: string }

export interface Limits {
  readonly memoryBytes: number
  readonly cpus: number
  readonly pids: number
}

export interface Healthcheck {
  readonly command: readonly string[]
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly retries: number
}

/** The hash of the specification a container was made from. */
export const SPEC_LABEL = 'fleetpress.spec'

const LOG_MAX_BYTES = 10_000_000
const NANO = 1_000_000_000
const NANO_PER_MS = 1_000_000
/** Anyone who holds one of these, or a folder around it, holds the machine. */
const GUARDED = [
  '/var/run/docker.sock',
  '/run/docker.sock',
  '/run/containerd',
  '/var/lib/docker',
  '/var/lib/containerd',
]
const GUARDED_FOLDERS = ['/proc', '/sys', '/dev', '/etc', '/boot', '/usr', ['', 'root'].join('/')]

/** What the engine is asked to create. */
export const specToCreateBody = (spec: ContainerSpec) => {
  const body = bodyWithoutHash(spec)
  return { ...body, Labels: { ...body.Labels, [SPEC_LABEL]: hashOf(body) } }
}

/** Limits are not part of it, since they change without a new container. */
export const specHash = (spec: ContainerSpec): string => hashOf(bodyWithoutHash(spec))

export const limitFields = ({ memoryBytes, cpus, pids }: Limits) => ({
  Memory: memoryBytes,
  // The same figure again means: no swap on top.
  MemorySwap: memoryBytes,
  NanoCpus: Math.round(cpus * NANO),
  PidsLimit: pids,
})

type Body = ReturnType<typeof bodyWithoutHash>

const hashOf = (body: Body): string => {
  const { Memory: _m, MemorySwap: _s, NanoCpus: _n, PidsLimit: _p, ...hostConfig } = body.HostConfig
  return createHash('sha256')
    .update(canonical({ ...body, HostConfig: hostConfig }))
    .digest('hex')
}

const bodyWithoutHash = (spec: ContainerSpec) => ({
  Image: spec.image,
  ...(spec.entrypoint && { Entrypoint: spec.entrypoint }),
  ...(spec.command && { Cmd: spec.command }),
  ...(spec.user !== undefined && { User: spec.user }),
  Env: Object.entries(spec.env ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .toSorted(),
  Labels: { ...spec.labels },
  ...(spec.healthcheck && { Healthcheck: healthcheckBody(spec.healthcheck) }),
  ...(spec.stopTimeoutSeconds !== undefined && { StopTimeout: spec.stopTimeoutSeconds }),
  HostConfig: {
    ...limitFields(spec.limits),
    ReadonlyRootfs: spec.readOnly,
    CapDrop: ['ALL'],
    CapAdd: (spec.capAdd ?? []).toSorted(),
    SecurityOpt: ['no-new-privileges'],
    IpcMode: 'private',
    ...(spec.cpuShares !== undefined && { CpuShares: spec.cpuShares }),
    Init: spec.init ?? false,
    RestartPolicy: { Name: spec.restart, MaximumRetryCount: spec.restart === 'on-failure' ? 5 : 0 },
    Mounts: (spec.mounts ?? []).map(mountBody),
    Tmpfs: Object.fromEntries((spec.tmpfs ?? []).map(tmpfs => [pathOf(tmpfs.target), tmpfsOptions(tmpfs)])),
    NetworkMode: typeof spec.network === 'string' ? spec.network : spec.network.name,
    LogConfig: {
      Type: 'local',
      Config: {
        'max-size': String(Math.ceil((spec.logMaxBytes ?? LOG_MAX_BYTES) / 2)),
        'max-file': '2',
        // Packing what a flood of lines leaves behind would take the time of the engine, which all containers share.
        compress: 'false',
      },
    },
  },
  NetworkingConfig: { EndpointsConfig: endpoints(spec.network) },
})

const endpoints = (network: ContainerNetwork) => {
  if (typeof network === 'string') return {}
  return { [network.name]: network.ip === undefined ? {} : { IPAMConfig: { IPv4Address: network.ip } } }
}

const healthcheckBody = ({ command, intervalMs, timeoutMs, retries }: Healthcheck) => ({
  Test: ['CMD', ...command],
  Interval: intervalMs * NANO_PER_MS,
  Timeout: timeoutMs * NANO_PER_MS,
  Retries: retries,
})

const mountBody = ({ source, target, readOnly = false }: Mount) => {
  refuseSource(source)
  return {
    Type: 'bind',
    Source: pathOf(source),
    Target: pathOf(target),
    ReadOnly: readOnly,
    BindOptions: { Propagation: 'rprivate' },
  }
}

const tmpfsOptions = ({ sizeBytes, uid, gid, mode = 0o1777 }: Tmpfs): string =>
  ['rw', 'nosuid', 'nodev', 'noexec', `size=${sizeBytes}`, `mode=${mode.toString(8)}`]
    .concat(uid === undefined ? [] : [`uid=${uid}`], gid === undefined ? [] : [`gid=${gid}`])
    .join(',')

/** Absolute and free of `..`, so that a guarded path cannot be spelled another way. */
const pathOf = (path: string): string => {
  if (path !== posix.resolve('/', path) || path.includes('\0')) {
    throw new DockerError(400, `'${path}' is not a plain absolute path`)
  }
  return path
}

const refuseSource = (source: string): void => {
  const refused =
    GUARDED.some(path => isWithin(path, source) || isWithin(source, path)) ||
    GUARDED_FOLDERS.some(path => isWithin(source, path)) ||
    ['/', '/var', '/run', '/var/run', '/home', '/srv'].includes(source)
  if (refused) throw new DockerError(400, `${source} can't be mounted into a container`)
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
