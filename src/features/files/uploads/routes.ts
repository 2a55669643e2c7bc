import { z } from 'zod'
import { ask } from '#features/sites/index.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { withRunningSite } from '../site-of.ts'
import type { uploadEndpoints } from './contract.ts'
import { takeChunk } from './take-chunk.ts'
import { deleteUpload } from './upload-store.ts'

const Done = z.object({ ok: z.boolean() })

export const uploadRoutes: Handlers<typeof uploadEndpoints> = {
  async fileUpload({ params, query, upload }, scope) {
    return takeChunk(scope, { ...params, ...query, overwrite: query.overwrite === true }, upload)
  },

  async fileUploadDelete({ params: { slug, id }, query: { path } }, scope) {
    const done = await withRunningSite(scope, slug, folder => ask(folder, { op: 'forget', path, id }, Done))
    await deleteUpload(scope.db, { site_slug: slug, id })
    return done
  },
}
