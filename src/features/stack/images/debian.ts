import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { findImage, importImage, type OnLine } from '#drivers/docker/images.ts'
import { exec, withEnv } from '#platform/host/command.ts'
import { CommandFailed, FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { dockerOf } from '../docker-of.ts'
import { parseAptSources, sourcesForSuite } from './apt-sources.ts'
import { pullPinned } from './pull-pinned.ts'

/** Programs run from it, and it takes hundreds of megabytes: /tmp is often closed to the one and too small for the other. */
const WORK_FOLDER = '/var/tmp'
const BOOTSTRAP_TIMEOUT_MS = 15 * 60_000
/** What no one reads in a container. */
const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/info/*', '/usr/share/locale/*']
/** An image that is interrupted is recreated, so nothing in it must survive a power cut while packages install. */
const OPTIONS = ['--variant=minbase', '--dpkgopt=force-unsafe-io', '--aptopt=Acquire::Languages "none"'].concat(
  LEFT_OUT.map(path => `--dpkgopt=path-exclude=${path}`),
)

/** Past the end of its support: its security archive is being taken down, file by file. */
const UNMAINTAINED = 'bullseye'

export interface Progress {
  readonly onLine?: OnLine
  readonly signal?: AbortSignal | undefined
}

export interface DebianOptions extends Progress {
  /** The panel's data folder, which keeps what was pulled by its digest. */
  readonly dataDir: string
}

/** As the registry that Docker asks by itself has it. */
const PUBLISHED = { name: 'debian' }

export const debianRef = (suite: string): string => {
  const hash = createHash('sha256').update(JSON.stringify([suite, OPTIONS]))
  return `fleetpress/debian:${suite}-${hash.digest('hex').slice(0, 12)}`
}

/** A small Debian: pulled where a registry answers, else made from the archives the machine itself installs from. */
export const ensureDebian = async (host: Host, suite: string, options: DebianOptions): Promise<string> => {
  const { onLine, signal, dataDir } = options
  const ref = debianRef(suite)
  if (await findImage(dockerOf(host), ref, { signal })) return ref
  if (await pullPinned(host, { ...PUBLISHED, tag: `${suite}-slim`, dataDir, ref }, options)) return ref
  onLine?.(`No registry is reachable. Building Debian ${suite} from this machine's package sources.`)
  await bootstrap(host, suite, ref, options)
  return ref
}

const bootstrap = async (host: Host, suite: string, ref: string, progress: Progress): Promise<void> => {
  const [main, ...security] = sourcesForSuite(parseAptSources(await readSources(host)), suite)
  if (main === undefined) throw new Error(`${host.name} has no Debian package source, so no image can be built there`)
  try {
    await importSuite(host, { suite, ref, lines: [main, ...security] }, progress)
  } catch (error) {
    if (suite !== UNMAINTAINED || security.length === 0 || !(error instanceof CommandFailed)) throw error
    progress.onLine?.(`The security archive of Debian ${suite} is incomplete: using its last point release.`)
    await importSuite(host, { suite, ref, lines: [main] }, progress)
  }
}

interface Suite {
  readonly suite: string
  readonly ref: string
  /** Lines of apt's sources. */
  readonly lines: readonly string[]
}

/** Straight into the engine: nothing is left on the disk when it is interrupted. */
const importSuite = async (host: Host, { suite, ref, lines }: Suite, { onLine, signal }: Progress): Promise<void> => {
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
    const command = withEnv(exec('mmdebstrap', ...OPTIONS, suite, '-', ...lines), { TMPDIR: WORK_FOLDER })
    await host.stream(command, { timeoutMs: BOOTSTRAP_TIMEOUT_MS, signal, onStdout, onStderr })
    tar.end()
    await imported
  } catch (error) {
    tar.destroy(new Error('the archive is incomplete'))
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
