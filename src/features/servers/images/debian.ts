import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { findImage, importImage, type OnLine, pullImage, tagImage } from '#drivers/docker/images.ts'
import { exec, withEnv } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { dockerOf } from '../stack/docker-of.ts'
import { parseAptSources, sourcesForSuite } from './apt-sources.ts'

/** Programs run from it, and it takes hundreds of megabytes: /tmp is often closed to the one and too small for the other. */
const WORK_FOLDER = '/var/tmp'
const BOOTSTRAP_TIMEOUT_MS = 15 * 60_000
/** What nobody reads in a container. */
const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/info/*', '/usr/share/locale/*']
/** An image that is interrupted is made anew, so nothing in it must survive a power cut while packages install. */
const OPTIONS = ['--variant=minbase', '--dpkgopt=force-unsafe-io', '--aptopt=Acquire::Languages "none"'].concat(
  LEFT_OUT.map(path => `--dpkgopt=path-exclude=${path}`),
)

export interface Progress {
  readonly onLine?: OnLine
  readonly signal?: AbortSignal | undefined
}

export const debianRef = (suite: string): string => {
  const hash = createHash('sha256').update(JSON.stringify([suite, OPTIONS]))
  return `fleetpress/debian:${suite}-${hash.digest('hex').slice(0, 12)}`
}

/** A small Debian: pulled where a registry answers, else made from the archives the machine itself installs from. */
export const ensureDebian = async (host: Host, suite: string, progress: Progress = {}): Promise<string> => {
  const { onLine, signal } = progress
  const docker = dockerOf(host)
  const ref = debianRef(suite)
  if (await findImage(docker, ref, { signal })) return ref
  const published = `debian:${suite}-slim`
  if (await pullImage(docker, published, { signal, ...(onLine && { onLine }) })) {
    await tagImage(docker, published, ref, { signal })
    return ref
  }
  onLine?.(`No registry answers: making Debian ${suite} from this machine's own package sources.`)
  await bootstrap(host, suite, ref, progress)
  return ref
}

const bootstrap = async (host: Host, suite: string, ref: string, { onLine, signal }: Progress): Promise<void> => {
  const lines = sourcesForSuite(parseAptSources(await readSources(host)), suite)
  if (lines.length === 0) throw new Error(`${host.name} installs from no Debian archive, so no image can be made there`)
  const tar = new PassThrough().on('error', () => {})
  const imported = importImage(dockerOf(host), tar, { tag: ref, signal })
  // It may fail before anyone waits for it.
  imported.catch(() => {})
  const onStderr = (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line.trim() !== '') onLine?.(line.trim())
  }
  const onStdout = async (chunk: Buffer) => {
    if (!tar.write(chunk)) await Promise.race([once(tar, 'drain'), imported])
  }
  try {
    // Straight into the engine: nothing is left on the disk when it is interrupted.
    const command = withEnv(exec('mmdebstrap', ...OPTIONS, suite, '-', ...lines), { TMPDIR: WORK_FOLDER })
    await host.stream(command, { timeoutMs: BOOTSTRAP_TIMEOUT_MS, signal, onStdout, onStderr })
    tar.end()
    await imported
  } catch (error) {
    tar.destroy(new Error('the archive is not whole'))
    throw error
  }
}

const readSources = async (host: Host): Promise<string> => {
  const folder = '/etc/apt/sources.list.d'
  const names = (await host.listDir(folder)).map(entry => entry.name).filter(name => /\.(list|sources)$/.test(name))
  const texts: string[] = []
  for (const path of ['/etc/apt/sources.list', ...names.map(name => `${folder}/${name}`)]) {
    try {
      texts.push((await host.readFile(path)).toString())
    } catch (error) {
      if (!(error instanceof FileNotFound)) throw error
    }
  }
  return texts.join('\n\n')
}
