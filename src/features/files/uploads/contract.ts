import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { FilePath, QueryFlag, SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'

export const MAX_CHUNK_BYTES = 8 * 1024 ** 2
const MAX_FILE_BYTES = 1024 ** 4

const params = z.object({
  slug: SiteSlug,
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 letters, digits, - or _')
    .describe('chosen by the caller, the same for every chunk of a file'),
})
const UploadPath = FilePath.min(1).describe('where the file will be')

export const uploadEndpoints = contract({
  fileUpload: {
    method: 'PUT',
    path: '/api/sites/:slug/files/uploads/:id',
    level: 'manage',
    mcp: 'no',
    destructive: true,
    summary:
      'Send the next chunk of a file, up to 8 MiB. The file appears with its last chunk. 409 says in details.received where to continue',
    params,
    query: z.object({
      path: UploadPath,
      offset: wholeNumber(0, MAX_FILE_BYTES).describe('where the chunk begins'),
      size: wholeNumber(0, MAX_FILE_BYTES).describe('of the whole file'),
      overwrite: QueryFlag.optional().describe('true: replace what is there'),
    }),
    upload: { maxBytes: MAX_CHUNK_BYTES },
    reply: z.object({
      received: z.number(),
      written: z.boolean().describe('true once the file is in its place'),
    }),
  },
  fileUploadDelete: {
    method: 'DELETE',
    path: '/api/sites/:slug/files/uploads/:id',
    level: 'manage',
    mcp: 'no',
    summary: 'Abandon an upload and remove what arrived',
    params,
    query: z.object({ path: UploadPath }),
    reply: z.object({ ok: z.boolean() }),
  },
})
