import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scannerImage } from '#features/scans/scan/image.ts'
import { askScanner, scannerSpec } from '#features/scans/scan/scanner.ts'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { LocalHost } from '#platform/host/local-host.ts'

const MIB = 1024 ** 2
const LIMIT_MS = 30 * 60_000

export interface FoundFile {
  readonly path: string
  readonly severity: string
  readonly rule: string
}

export interface ScanSummary {
  readonly files: number
  readonly knownGood: number
  readonly unchanged: number
  readonly read: number
  readonly complete: boolean
  readonly leftOut: Readonly<Record<string, { files: number; example: string }>>
}

export interface LocalScanner extends AsyncDisposable {
  readonly host: LocalHost
  readonly image: string
  /** On this machine, for what is to be scanned. */
  readonly folder: string
  scan(source: string, request?: object): Promise<{ found: FoundFile[]; summary: ScanSummary }>
}

/** How the scanner sees a folder of this machine: with the limits it always has, and an account that owns nothing. */
export const scannerView = (image: string, source: string) =>
  scannerSpec({
    slug: 'local',
    purpose: `${process.pid}`,
    image,
    user: '65534:65534',
    mounts: [{ source, target: '/site', readOnly: true }],
    tmpfs: [
      { target: '/tmp', sizeBytes: 192 * MIB },
      { target: '/state', sizeBytes: 64 * MIB, uid: 65_534, gid: 65_534 },
    ],
  })

/** The scanner and its rules on this machine: no panel, no server and no site around it. */
export const localScanner = async (): Promise<LocalScanner> => {
  const host = new LocalHost()
  const folder = await mkdtemp(join(tmpdir(), 'fleetpress-scanner-'))
  await chmod(folder, 0o755)
  const image = await ensureImage(scannerImage, { host, dataDir: folder })
  const scan: LocalScanner['scan'] = async (source, request = {}) => {
    const found: FoundFile[] = []
    let summary: ScanSummary | undefined
    const onLine = (line: unknown) => {
      const said = line as { finding?: FoundFile; done?: ScanSummary }
      if (said.finding) found.push(said.finding)
      summary = said.done ?? summary
    }
    const asked = { rules: 'test', maxSeconds: 600, maxFiles: 1_000_000, ...request }
    await askScanner(host, scannerView(image, source), { op: 'scan', request: asked, timeoutMs: LIMIT_MS, onLine })
    if (summary === undefined) throw new Error('the scanner said no summary')
    return { found, summary }
  }
  return { host, image, folder, scan, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
