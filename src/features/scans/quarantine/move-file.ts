import { z } from 'zod'
import { aroundView, type SiteRow } from '#features/sites/index.ts'
import { siteOwner } from '#features/stack/index.ts'
import { Problem, type ProblemCode } from '#platform/contract/problem.ts'
import { TryLater } from '#platform/jobs/stop.ts'
import type { Scope } from '#platform/scope.ts'
import { bringScanner } from '../scan/image.ts'
import { askScanner, scannerSpec } from '../scan/scanner.ts'

const LIMIT_MS = 5 * 60_000
/** To rename what belongs to the site, and to give a folder to it that is created again. */
export const CAPABILITIES = ['DAC_OVERRIDE', 'CHOWN', 'FOWNER']

export type MoveWork = Pick<Scope, 'hosts' | 'installation'> & { readonly signal?: AbortSignal | undefined }

const Moved = z.object({
  size: z.int().min(0),
  mode: z.int().min(0).max(0o7777),
  uid: z.int().min(0),
  gid: z.int().min(0),
  modified: z.int(),
  sha256: z.hash('sha256').optional(),
})
export type Moved = z.infer<typeof Moved>

const Line = <S extends z.ZodType>(done: S) =>
  z.union([z.object({ done }), z.object({ error: z.object({ code: z.string().max(40) }) })])

const WORDS: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  not_found: ['conflict', 'The file is no longer there. Scan the site again.'],
  changed: ['conflict', 'The site exchanged the file for something else. Scan the site again.'],
  exists: ['conflict', 'There is another file in its place. Move that one first.'],
  gone: ['conflict', 'The file is no longer in quarantine.'],
  no_space: ['conflict', 'There is not enough free space on the server.'],
}

interface Named {
  readonly id: string
  readonly path: string
}

const move = async <S extends z.ZodType>(
  work: MoveWork,
  site: SiteRow,
  op: 'take' | 'restore' | 'drop',
  { id, path }: Named,
  schema: S,
): Promise<z.output<S>> => {
  const { signal = new AbortController().signal } = work
  const image = await bringScanner(work, site.server_id, signal).catch((error: unknown) => {
    if (error instanceof TryLater)
      throw new Problem('conflict', 'The scanner is being prepared. Try again in a minute.')
    throw error
  })
  const spec = scannerSpec({
    slug: site.slug,
    purpose: 'move',
    image,
    user: '0:0',
    mounts: [aroundView(site, '/around')],
    capAdd: CAPABILITIES,
  })
  let last: unknown
  const request = { id, path, ...siteOwner(site) }
  const onLine = (line: unknown) => {
    last = line
  }
  await askScanner(work.hosts.get(site.server_id), spec, { op, request, timeoutMs: LIMIT_MS, signal, onLine })
  const parsed = Line(schema).parse(last)
  if ('done' in parsed) return parsed.done as z.output<S>
  const [code, words] =
    WORDS[(parsed as { error: { code: string } }).error.code] ??
    (['bad_gateway', 'The file could not be moved.'] as const)
  throw new Problem(code, words)
}

/** Out of the site, in one rename. Done twice it only tells what was moved. */
export const takeFile = (work: MoveWork, site: SiteRow, named: Named): Promise<Moved> =>
  move(work, site, 'take', named, Moved)

/** Where it was, as it was. */
export const restoreFile = (work: MoveWork, site: SiteRow, named: Named): Promise<Moved> =>
  move(work, site, 'restore', named, Moved)

/** For good; harmless when it is gone. */
export const dropFile = async (work: MoveWork, site: SiteRow, named: Named): Promise<void> => {
  await move(work, site, 'drop', named, z.unknown())
}
