import { z } from 'zod'
import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { dockerOf } from '#features/stack/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { Host } from '#platform/host/host.ts'
import { inSequence } from '#platform/sequence/in-sequence.ts'

const MIB = 1024 ** 2
const LABEL = 'fleetpress.scan'
/** Visitors come first wherever processors are busy. */
const CPU_SHARES = 256
const LONGEST_LINE = 256 * 1024

type Fixed = 'name' | 'readOnly' | 'network' | 'limits' | 'labels' | 'restart'
export type ScannerView = Omit<ContainerSpec, Fixed> & { readonly slug: string; readonly purpose: string }

/** Nothing in it can be written to but what it is given, and it reaches nothing. */
export const scannerSpec = ({ slug, purpose, ...view }: ScannerView): ContainerSpec => ({
  ...view,
  name: `fleetpress-scan-${slug}-${purpose}`,
  readOnly: true,
  network: 'none',
  limits: { memoryBytes: 768 * MIB, cpus: 1, pids: 64 },
  cpuShares: CPU_SHARES,
  labels: { [LABEL]: slug },
  restart: 'no',
  stopTimeoutSeconds: 1,
})

interface Asked {
  readonly op: 'scan' | 'take' | 'restore' | 'drop'
  readonly request: unknown
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Each line of the answer, as JSON. */
  readonly onLine: (line: unknown) => void
}

/** The program ended without an answer: at a limit of its container, or because it was ended. */
export class NoScanAnswer extends CodedError {
  constructor(output: string) {
    super('scan_ended', 'The scanner ended before it was done. The files of the site may be made to stop it.', {
      output,
    })
  }
}

/** One request to the program in a container of its own. What comes back was made of a site's files, so callers check it. */
export const askScanner = (host: Host, spec: ContainerSpec, asked: Asked): Promise<void> =>
  inSequence(`${host.name} ${spec.name}`, async () => {
    const docker = dockerOf(host)
    const reader = new LineReader(asked.onLine)
    try {
      // What a panel that was killed has left may still be at work.
      await dropContainer(docker, spec.name)
      await ensureContainer(docker, spec, { signal: asked.signal })
      const { exitCode } = await execIn(docker, spec.name, ['site-scan', asked.op], {
        stdin: JSON.stringify(asked.request),
        onStdout: chunk => reader.take(chunk),
        timeoutMs: asked.timeoutMs,
        signal: asked.signal,
      })
      if (exitCode !== 0 || !reader.isEnded) throw new NoScanAnswer(`the scanner ended with ${exitCode}`)
    } finally {
      await dropContainer(docker, spec.name).catch(() => {})
    }
  })

const Ended = z.union([z.object({ done: z.unknown() }), z.object({ error: z.unknown() })])

class LineReader {
  isEnded = false
  #rest: Buffer = Buffer.alloc(0)
  readonly #onLine: Asked['onLine']

  constructor(onLine: Asked['onLine']) {
    this.#onLine = onLine
  }

  take(chunk: Buffer): void {
    let rest = Buffer.concat([this.#rest, chunk])
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line: unknown = JSON.parse(rest.subarray(0, end).toString())
      this.isEnded ||= Ended.safeParse(line).success
      this.#onLine(line)
      rest = rest.subarray(end + 1)
    }
    if (rest.length > LONGEST_LINE) throw new NoScanAnswer('a line of the scanner is too long')
    this.#rest = rest
  }
}
