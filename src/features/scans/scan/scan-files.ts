import { z } from 'zod'
import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import type { UnpackedZip, ZipFinding } from '#features/catalog/index.ts'
import { filesView, notesView, type SiteRow } from '#features/sites/index.ts'
import { siteOwner } from '#features/stack/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { Host } from '#platform/host/host.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import { FINDING_KINDS, ITEM_KINDS, SEVERITIES } from '../contract.ts'
import { bringScanner } from './image.ts'
import { knownGood } from './known-good.ts'
import { askScanner, NoScanAnswer, scannerSpec } from './scanner.ts'

const MIB = 1024 ** 2
const MAX_SECONDS = 25 * 60
const LIMIT_MS = (MAX_SECONDS + 120) * 1000
const MAX_FILES = 1_000_000
const MOST_FINDINGS = 2_000
const LONGEST_PATH = 4_096
const LONGEST_EXCERPT = 240

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const line = (longest: number) => z.string().transform(text => cleanLine(text, longest))

const FoundFile = z.object({
  path: z
    .string()
    .min(1)
    .max(LONGEST_PATH * 4),
  kind: z.enum(FINDING_KINDS),
  rule: z.string().regex(/^[a-z0-9_]{1,60}$/),
  label: line(200),
  severity: z.enum(SEVERITIES),
  line: z.int().min(1).max(2_000_000_000).optional(),
  excerpt: line(LONGEST_EXCERPT).optional(),
  item: z.object({ kind: z.enum(ITEM_KINDS), slug: line(200), version: line(60) }).nullable(),
  size: count,
  modified: z.int(),
  sha256: z.hash('sha256').optional(),
})
export type FoundFile = z.infer<typeof FoundFile>

const Summary = z.object({
  files: count,
  knownGood: count,
  unchanged: count,
  read: count,
  bytes: count,
  complete: z.boolean(),
  leftOut: z.record(line(100), z.object({ files: count, example: line(300) })),
})

const Line = z.union([
  z.object({ finding: FoundFile }),
  z.object({ done: Summary }),
  z.object({ error: z.object({ code: z.string().max(40) }) }),
])

export interface Scanned {
  readonly found: readonly FoundFile[]
  readonly summary: z.infer<typeof Summary>
  readonly rulesVersion: string
  readonly notes: readonly string[]
}

/** Reads the files of a site in a container that can do nothing else. Nothing of the site changes. */
export const scanFiles = async (work: StepScope, site: SiteRow, wasClean: boolean): Promise<Scanned> => {
  const host = work.hosts.get(site.server_id)
  const image = await bringScanner(work, site.server_id, work.signal)
  const { trees, owned, notes } = await knownGood(work, site)
  const rulesVersion = image.slice(image.lastIndexOf('-') + 1)
  const { uid, gid } = siteOwner(site)
  const spec = scannerSpec({
    slug: site.slug,
    purpose: 'read',
    image,
    user: `${uid}:${gid}`,
    mounts: [filesView(site, '/site'), await notesView(host, site, 'scan', '/state')],
    tmpfs: [{ target: '/tmp', sizeBytes: 192 * MIB }],
  })
  const answer = await scanIn(work, host, spec, { trees, owned, rules: rulesVersion, wasClean })
  return { ...answer.whole(), rulesVersion, notes: [...notes, ...answer.notes()] }
}

const scanIn = async (
  { signal }: Pick<StepScope, 'signal'>,
  host: Host,
  spec: ContainerSpec,
  about: { trees: readonly unknown[]; owned: readonly unknown[]; rules: string; wasClean: boolean },
): Promise<Answer> => {
  const request = { ...about, maxSeconds: MAX_SECONDS, maxFiles: MAX_FILES }
  const answer = new Answer()
  await askScanner(host, spec, { op: 'scan', request, timeoutMs: LIMIT_MS, signal, onLine: answer.take })
  return answer
}

/** Reads an unpacked zip of the catalog in such a container; nothing in it is known to be good. */
export const scanZip = async (
  work: StepScope,
  { serverId, folder, pluginFolder }: UnpackedZip,
): Promise<ZipFinding[]> => {
  const image = await bringScanner(work, serverId, work.signal)
  const spec = scannerSpec({
    slug: work.jobId,
    purpose: 'zip',
    image,
    user: '0:0',
    mounts: [{ source: folder, target: '/site', readOnly: true }],
    tmpfs: [
      { target: '/tmp', sizeBytes: 192 * MIB },
      { target: '/state', sizeBytes: 16 * MIB },
    ],
  })
  const rules = image.slice(image.lastIndexOf('-') + 1)
  const answer = await scanIn(work, work.hosts.get(serverId), spec, { trees: [], owned: [], rules, wasClean: false })
  return answer
    .whole()
    .found.flatMap(({ path, kind, label, severity, rule, line: at, excerpt }) =>
      kind === 'malware' && severity !== 'notice'
        ? [{ path: below(pluginFolder, path), kind, label, severity, rule, line: at ?? null, detail: excerpt ?? null }]
        : [],
    )
}

const below = (folder: string, path: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path

/** What the scanner says, as far as it can be believed. */
class Answer {
  readonly #found: FoundFile[] = []
  #summary: z.infer<typeof Summary> | undefined
  #isCut = false

  readonly take = (said: unknown): void => {
    const parsed = Line.parse(said)
    if ('error' in parsed) throw new CodedError('scan_failed', 'The files of the site could not be scanned.')
    if ('done' in parsed) this.#summary = parsed.done
    else if (this.#found.length < MOST_FINDINGS) this.#found.push(parsed.finding)
    else this.#isCut = true
  }

  whole() {
    if (!this.#summary) throw new NoScanAnswer('the scanner said no summary')
    const summary = { ...this.#summary, complete: this.#summary.complete && !this.#isCut }
    return { found: this.#found, summary }
  }

  notes(): string[] {
    return this.#isCut ? [`Only the first ${MOST_FINDINGS} findings are listed.`] : []
  }
}
