import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { ask, askForBytes } from '#features/sites/index.ts'
import type { Versions } from '#platform/http/bytes/conditions.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { startCompress, startExtract } from './archives/start.ts'
import { type files, MAX_CONTENT_BYTES } from './contract.ts'
import { downloadOf } from './download.ts'
import { fixOwnership } from './fix-ownership.ts'
import { searchFiles } from './search.ts'
import { withRunningSite } from './site-of.ts'
import { SpokenEntry } from './spoken-entry.ts'
import { uploadRoutes } from './uploads/routes.ts'

const MOST_ENTRIES = 10_000
/** Copying a large folder, or deleting one, takes a while. */
const CHANGE_LIMIT_MS = 10 * 60_000

const Listing = z.object({ writable: z.boolean(), entries: z.array(SpokenEntry), truncated: z.boolean() })
const Content = z.object({ etag: z.string(), size: z.number() })
const Written = z.object({ etag: z.string(), entry: SpokenEntry })
const Changed = z.object({ entry: SpokenEntry })
const Deleted = z.object({ deleted: z.number() })

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const listed = (versions: Versions | undefined) => (versions === '*' ? ['*'] : versions)

export const fileRoutes: Handlers<typeof files> = {
  ...uploadRoutes,

  async fileList({ params, query: { path } }, scope) {
    const request = { op: 'list', path, maxEntries: MOST_ENTRIES }
    const listing = await withRunningSite(scope, params.slug, folder => ask(folder, request, Listing))
    return { path, ...listing, entries: listing.entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
  },

  async fileRead({ params, query: { path } }, scope) {
    const request = { op: 'read', path, maxBytes: MAX_CONTENT_BYTES }
    return withRunningSite(scope, params.slug, async folder => {
      const { answer, bytes } = await askForBytes(folder, request, Content)
      const content = await buffer(bytes)
      return { filename: nameOf(path), sizeBytes: answer.size, etag: answer.etag, open: () => Readable.from([content]) }
    })
  },

  async fileWrite({ params, query: { path, lint }, upload, conditions }, scope) {
    const request = {
      op: 'write',
      path,
      maxBytes: MAX_CONTENT_BYTES,
      lint: lint === 'php',
      ifMatch: listed(conditions.ifMatch),
      ifNoneMatch: listed(conditions.ifNoneMatch),
    }
    const save = withRunningSite(scope, params.slug, folder => ask(folder, request, Written, { input: upload.bytes }))
    return { path, ...(await save) }
  },

  async fileDownload({ params, query }, scope) {
    return downloadOf(scope, params.slug, query.path)
  },

  async fileSearch({ params, query }, scope) {
    return withRunningSite(scope, params.slug, folder => searchFiles(folder, query))
  },

  async fileMkdir({ params, body: { path } }, scope) {
    return withRunningSite(scope, params.slug, folder => ask(folder, { op: 'mkdir', path }, Changed))
  },

  async fileMove({ params, body: { from, to, overwrite } }, scope) {
    const request = { op: 'move', path: from, to, overwrite }
    return withRunningSite(scope, params.slug, folder => ask(folder, request, Changed))
  },

  async fileCopy({ params, body: { from, to } }, scope) {
    const request = { op: 'copy', path: from, to }
    return withRunningSite(scope, params.slug, folder => ask(folder, request, Changed, { timeoutMs: CHANGE_LIMIT_MS }))
  },

  async fileDelete({ params, body: { paths } }, scope) {
    const request = { op: 'delete', paths }
    return withRunningSite(scope, params.slug, folder => ask(folder, request, Deleted, { timeoutMs: CHANGE_LIMIT_MS }))
  },

  async fileChmod({ params, body: { path, mode } }, scope) {
    const request = { op: 'chmod', path, mode: Number.parseInt(mode, 8) }
    return withRunningSite(scope, params.slug, folder => ask(folder, request, Changed))
  },

  async fileFixOwnership({ params, body }, scope) {
    return fixOwnership(scope, params.slug, body.path)
  },

  async fileExtract({ params, body }, scope) {
    return { job: await startExtract(scope, params.slug, body) }
  },

  async fileCompress({ params, body }, scope) {
    return { job: await startCompress(scope, params.slug, body) }
  },
}
