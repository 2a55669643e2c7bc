import type { Readable } from 'node:stream'
import { z } from 'zod'
import { type Cancellation, type Docker, DockerError, type DockerRequest, segment, unlessMissing } from './client.ts'
import { readJsonLines } from './json-lines.ts'

const PULL_ANSWER_MS = 10_000

const Inspected = z.object({
  Id: z.string(),
  RepoTags: z.array(z.string()).nullish(),
  RepoDigests: z.array(z.string()).nullish(),
  Size: z.number(),
  Architecture: z.string(),
  Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }).nullish(),
})

const Progress = z.object({
  stream: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
})

export interface Image {
  readonly id: string
  readonly refs: readonly string[]
  /** `name@sha256:…`, for each registry it came from. */
  readonly digests: readonly string[]
  readonly sizeBytes: number
  readonly architecture: string
  readonly labels: Readonly<Record<string, string>>
}

export type OnLine = (line: string) => void

export const findImage = async (
  docker: Docker,
  ref: string,
  { signal }: Cancellation = {},
): Promise<Image | undefined> => {
  const found = await docker.json(Inspected, { path: `/images/${segment(ref)}/json`, signal }).catch(unlessMissing)
  return (
    found && {
      id: found.Id,
      refs: found.RepoTags ?? [],
      digests: found.RepoDigests ?? [],
      sizeBytes: found.Size,
      architecture: found.Architecture,
      labels: found.Config?.Labels ?? {},
    }
  )
}

interface BuildOptions extends Cancellation {
  readonly tag: string
  readonly buildArgs?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly onLine?: OnLine
}

/** Builds from a tar with a Dockerfile; its steps use the host's network, and so whatever name server the host has. */
export const buildImage = (docker: Docker, context: Readable, options: BuildOptions): Promise<void> => {
  const { tag, buildArgs = {}, labels = {}, onLine, signal } = options
  const query = {
    t: tag,
    buildargs: JSON.stringify(buildArgs),
    labels: JSON.stringify(labels),
    networkmode: 'host',
    forcerm: true,
  }
  return follow(docker, { method: 'POST', path: '/build', query, upload: context, signal }, onLine)
}

interface ImportOptions extends Cancellation {
  readonly tag: string
}

/** An image of one layer from the tar of a root folder. */
export const importImage = (docker: Docker, tar: Readable, { tag, signal }: ImportOptions): Promise<void> => {
  const [repo, name] = splitRef(tag)
  const query = { fromSrc: '-', repo, tag: name }
  return follow(docker, { method: 'POST', path: '/images/create', query, upload: tar, signal })
}

interface PullOptions extends Cancellation {
  readonly onLine?: OnLine
  /** How long a registry has to say anything at all. */
  readonly answerTimeoutMs?: number
}

/** False when no registry answers in time, or none has it. */
export const pullImage = async (docker: Docker, ref: string, options: PullOptions = {}): Promise<boolean> => {
  const { onLine, signal, answerTimeoutMs = PULL_ANSWER_MS } = options
  const [fromImage, tag] = splitRef(ref)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), answerTimeoutMs)
  const heard = (line: string) => {
    clearTimeout(timer)
    onLine?.(line)
  }
  const either = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal])
  try {
    await follow(docker, { method: 'POST', path: '/images/create', query: { fromImage, tag }, signal: either }, heard)
    return true
  } catch (error) {
    signal?.throwIfAborted()
    if (silence.signal.aborted || error instanceof DockerError) return false
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** All of these images in one tar; anyone who asked must read it to the end or destroy it. */
export const saveImages = (
  docker: Docker,
  refs: readonly string[],
  { signal }: Cancellation = {},
): Promise<Readable> => {
  const names = refs.map(ref => `names=${segment(ref)}`).join('&')
  return docker.open({ path: `/images/get?${names}`, signal })
}

export const loadImages = (docker: Docker, tar: Readable, { signal }: Cancellation = {}): Promise<void> =>
  follow(docker, { method: 'POST', path: '/images/load', query: { quiet: true }, upload: tar, signal })

export const tagImage = (docker: Docker, ref: string, newRef: string, { signal }: Cancellation = {}): Promise<void> => {
  const [repo, tag] = splitRef(newRef)
  return docker.send({ method: 'POST', path: `/images/${segment(ref)}/tag`, query: { repo, tag }, signal })
}

/** Harmless when it is absent; an image that a container uses is refused. */
export const removeImage = async (docker: Docker, ref: string, { signal }: Cancellation = {}): Promise<void> => {
  await docker.send({ method: 'DELETE', path: `/images/${segment(ref)}`, signal }).catch(unlessMissing)
}

/** The engine answers 200 before it starts, so a failure comes as one of the lines. */
const follow = async (docker: Docker, asked: DockerRequest, onLine: OnLine = () => {}): Promise<void> => {
  const source = await docker.open(asked)
  try {
    await readJsonLines(source, value => {
      const { stream, status, error } = Progress.parse(value)
      if (error !== undefined) throw new DockerError(500, 'Docker could not finish it', error)
      for (const line of (stream ?? status ?? '').split('\n')) if (line.trim() !== '') onLine(line.trimEnd())
    })
  } catch (error) {
    source.destroy()
    asked.signal?.throwIfAborted()
    throw docker.failure(error)
  }
}

const splitRef = (ref: string): [repo: string, tag: string] => {
  const digest = ref.lastIndexOf('@')
  if (digest > 0) return [ref.slice(0, digest), ref.slice(digest + 1)]
  const at = ref.lastIndexOf(':')
  return at > ref.lastIndexOf('/') ? [ref.slice(0, at), ref.slice(at + 1)] : [ref, 'latest']
}
