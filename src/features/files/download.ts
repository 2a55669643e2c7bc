import { z } from 'zod'
import { ask, askForBytes } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Download } from '#platform/http/bytes/download.ts'
import type { Scope } from '#platform/scope.ts'
import { withRunningSite } from './site-of.ts'
import { SpokenEntry } from './spoken-entry.ts'

const AT_ONCE = 3
const LIMIT_MS = 6 * 3_600_000
const RETRY_SECONDS = 10

const Opened = z.object({ kind: z.enum(['file', 'folder']), size: z.number().optional() })

/** How many run now, by server. */
const running = new Map<number, number>()

/** A file as it is, a folder packed on the way. */
export const downloadOf = async (scope: Scope, slug: string, path: string): Promise<Download> => {
  const { kind, size } = await withRunningSite(scope, slug, folder => ask(folder, { op: 'stat', path }, SpokenEntry))
  if (kind === 'link' || kind === 'other')
    throw new Problem('conflict', 'Only files and folders can be downloaded. Download what a link points to instead.')
  const name = path.slice(path.lastIndexOf('/') + 1) || slug
  if (kind === 'folder') return { filename: `${name}.tar.gz`, open: () => open(scope, slug, { path, kind }) }
  return { filename: name, sizeBytes: size, open: () => open(scope, slug, { path, kind, size }) }
}

interface Wanted {
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly size?: number
}

const open = (scope: Scope, slug: string, { path, kind, size }: Wanted) =>
  withRunningSite(scope, slug, async (folder, { server_id }) => {
    const release = takePlace(server_id)
    try {
      const { answer, bytes } = await askForBytes(folder, { op: 'download', path }, Opened, { timeoutMs: LIMIT_MS })
      bytes.once('close', release)
      if (answer.kind === kind && answer.size === size) return bytes
      bytes.destroy()
      throw new Problem('conflict', 'It was changed just now. Start the download again.')
    } catch (error) {
      release()
      throw error
    }
  })

const takePlace = (serverId: number): (() => void) => {
  const taken = running.get(serverId) ?? 0
  if (taken >= AT_ONCE) {
    const message = `This server sends ${AT_ONCE} downloads at a time. Try again when one is done.`
    throw new Problem('rate_limited', message, null, { retryAfterSeconds: RETRY_SECONDS })
  }
  running.set(serverId, taken + 1)
  let isTaken = true
  return () => {
    if (isTaken) running.set(serverId, (running.get(serverId) ?? 1) - 1)
    isTaken = false
  }
}
