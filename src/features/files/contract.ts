import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { FilePath, QueryFlag, SearchText, SiteSlug } from '#platform/contract/identifiers.ts'
import { JobAccepted } from '#platform/contract/job.ts'
import { uploadEndpoints } from './uploads/contract.ts'

export const FileEntry = z.object({
  name: z.string(),
  isNameValid: z
    .boolean()
    .describe(
      'false when the name is not UTF-8: it is shown as well as it can be, and only its folder can be worked on',
    ),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.number().describe('in bytes'),
  modifiedAt: z.number(),
  mode: z.string().describe('octal, such as 0644'),
  owner: z.string(),
  target: z.string().nullable().describe('where a link points to'),
})
export type FileEntry = z.infer<typeof FileEntry>

const MIB = 1024 ** 2
export const MAX_CONTENT_BYTES = 8 * MIB
const MOST_PATHS = 200
/** 200 paths of up to 4095 bytes, escaped. */
const MAX_PATHS_BYTES = 8 * MIB

const params = z.object({ slug: SiteSlug })
const Overwrite = z.boolean().prefault(false).describe('true: replace what is there')
const AnyPath = FilePath.prefault('').describe("relative to the site's folder; empty for the folder itself")
const SomePath = FilePath.min(1).describe("relative to the site's folder")
const Paths = z.array(SomePath).min(1).max(MOST_PATHS).describe("relative to the site's folder")
const Changed = z.object({ entry: FileEntry })

export const files = contract({
  fileList: {
    method: 'GET',
    path: '/api/sites/:slug/files',
    level: 'read-only',
    summary: 'List a folder of a site',
    params,
    query: z.object({ path: AnyPath }),
    reply: z.object({
      path: z.string(),
      writable: z.boolean().describe('whether the site can create files in it'),
      entries: z.array(FileEntry),
      truncated: z.boolean().describe('true when there are more than 10,000 entries'),
    }),
  },
  fileRead: {
    method: 'GET',
    path: '/api/sites/:slug/files/content',
    level: 'manage',
    mcp: 'file-tools',
    summary: 'Read a file of up to 8 MiB',
    params,
    query: z.object({ path: SomePath }),
    download: { type: 'application/octet-stream' },
  },
  fileWrite: {
    method: 'PUT',
    path: '/api/sites/:slug/files/content',
    level: 'manage',
    mcp: 'file-tools',
    destructive: true,
    summary:
      'Save a file of up to 8 MiB. If-Match saves only over the version that was read, If-None-Match: * only a new file',
    params,
    query: z.object({
      path: SomePath,
      lint: z.enum(['php']).optional().describe('php: refuse a file that PHP cannot parse, with its line'),
    }),
    upload: { maxBytes: MAX_CONTENT_BYTES },
    conditional: true,
    reply: z.object({ path: z.string(), entry: FileEntry, etag: z.string() }),
  },
  fileDownload: {
    method: 'GET',
    path: '/api/sites/:slug/files/download',
    level: 'manage',
    mcp: 'no',
    summary: 'Download a file, or a folder as .tar.gz. 3 at a time per server',
    params,
    query: z.object({ path: AnyPath }),
    download: { type: 'application/octet-stream' },
  },
  fileSearch: {
    method: 'GET',
    path: '/api/sites/:slug/files/search',
    level: 'manage',
    summary: 'Search the names or the contents of files. Stops after 500 matches or 20 seconds',
    limit: { requests: 30, windowMs: 60_000 },
    params,
    query: z.object({
      path: AnyPath,
      q: SearchText.describe('text to find'),
      mode: z.enum(['name', 'content']).prefault('name').describe('where to look for it'),
      case: QueryFlag.optional().describe('true: upper and lower case differ'),
      regex: QueryFlag.optional().describe('true: q is a regular expression, as ripgrep reads it'),
      include: SearchText.min(1).optional().describe('only files whose name fits, such as *.php'),
    }),
    reply: z.object({
      mode: z.enum(['name', 'content']),
      path: z.string(),
      matches: z.array(
        z.object({
          path: z.string(),
          kind: FileEntry.shape.kind,
          line: z.number().nullable().describe('for contents'),
          text: z.string().nullable().describe('for contents: the line, or a part of a long one'),
        }),
      ),
      truncated: z.boolean(),
      timedOut: z.boolean(),
    }),
  },
  ...uploadEndpoints,
  fileMkdir: {
    method: 'POST',
    path: '/api/sites/:slug/files/mkdir',
    level: 'manage',
    summary: 'Create a folder',
    params,
    body: z.strictObject({ path: SomePath }),
    reply: Changed,
  },
  fileMove: {
    method: 'POST',
    path: '/api/sites/:slug/files/move',
    level: 'manage',
    destructive: true,
    summary: 'Move or rename a file or folder',
    params,
    body: z.strictObject({ from: SomePath, to: SomePath, overwrite: Overwrite }),
    reply: Changed,
  },
  fileCopy: {
    method: 'POST',
    path: '/api/sites/:slug/files/copy',
    level: 'manage',
    summary: 'Copy a file or folder, never over an existing one',
    params,
    body: z.strictObject({ from: SomePath, to: SomePath }),
    reply: Changed,
  },
  fileDelete: {
    method: 'POST',
    path: '/api/sites/:slug/files/delete',
    level: 'manage',
    destructive: true,
    summary: 'Delete up to 200 files and folders. All are checked first: one bad path deletes nothing',
    params,
    body: z.strictObject({ paths: Paths }),
    maxBodyBytes: MAX_PATHS_BYTES,
    reply: z.object({ deleted: z.number() }),
  },
  fileChmod: {
    method: 'POST',
    path: '/api/sites/:slug/files/chmod',
    level: 'manage',
    summary: 'Change the permissions of a file or folder',
    params,
    body: z.strictObject({
      path: SomePath,
      mode: z
        .string()
        .regex(/^0?[0-7]{3}$/, 'must be an octal mode such as 644 or 0755')
        .describe('octal, such as 0644'),
    }),
    reply: Changed,
  },
  fileFixOwnership: {
    method: 'POST',
    path: '/api/sites/:slug/files/fix-ownership',
    level: 'manage',
    summary: 'Give everything under a path back to the site',
    params,
    body: z.strictObject({ path: AnyPath }).prefault({}),
    reply: z.object({ ok: z.boolean() }),
  },
  fileExtract: {
    method: 'POST',
    path: '/api/sites/:slug/files/extract',
    level: 'manage',
    job: true,
    destructive: true,
    summary: 'Extract a .zip. Unsafe archives are refused before anything is written',
    params,
    body: z.strictObject({ path: SomePath, to: AnyPath, overwrite: Overwrite }),
    reply: JobAccepted,
  },
  fileCompress: {
    method: 'POST',
    path: '/api/sites/:slug/files/compress',
    level: 'manage',
    job: true,
    destructive: true,
    summary: 'Compress entries of one folder into a .zip in the same folder',
    params,
    body: z.strictObject({ paths: Paths, to: SomePath, overwrite: Overwrite }),
    maxBodyBytes: MAX_PATHS_BYTES,
    reply: JobAccepted,
  },
})
