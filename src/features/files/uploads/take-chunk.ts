import { z } from 'zod'
import { requireRoom } from '#features/servers/index.ts'
import { ask } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Upload } from '#platform/http/bytes/upload.ts'
import type { Scope } from '#platform/scope.ts'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { withRunningSite } from '../site-of.ts'
import { MAX_CHUNK_BYTES } from './contract.ts'
import { changeUpload, findUpload, insertUpload, type UploadRow } from './upload-store.ts'

interface Chunk {
  readonly slug: string
  readonly id: string
  readonly path: string
  readonly offset: number
  readonly size: number
  readonly overwrite: boolean
}

const Received = z.object({ received: z.number(), written: z.boolean() })
type Received = z.infer<typeof Received>

/** Asking for the room on the disk takes as long as sending a small file. */
const LARGE_BYTES = 8 * MAX_CHUNK_BYTES

/** Chunks of one upload are taken one after the other, each as a whole or not at all. */
export const takeChunk = (scope: Scope, chunk: Chunk, upload: Upload): Promise<Received> =>
  inSequence(`upload ${chunk.slug} ${chunk.id}`, () =>
    withRunningSite(scope, chunk.slug, async folder => {
      const { slug, id, path, offset, size, overwrite } = chunk
      const key = { site_slug: slug, id }
      const known = await findUpload(scope.db, key)
      const answered = known && answerOf(known, chunk, upload)
      if (answered) {
        upload.bytes.resume()
        return answered
      }
      if (!known && size > LARGE_BYTES) await requireRoom(folder.host, { neededBytes: size })
      await insertUpload(scope.db, { ...key, path, size_bytes: size, ...fresh, changed_at: scope.now() })
      const request = { op: 'append', path, id, offset, size, overwrite, maxBytes: MAX_CHUNK_BYTES }
      const { received, written } = await ask(folder, request, Received, { input: upload.bytes })
      const changes = { received_bytes: received, is_written: written ? 1 : 0, changed_at: scope.now() }
      await changeUpload(scope.db, key, changes)
      return { received, written }
    }),
  )

const fresh = { received_bytes: 0, is_written: 0 }

/** For the last chunk sent again: anyone who did not get the answer gets it now. */
const answerOf = (known: UploadRow, { path, size, offset }: Chunk, { sizeBytes }: Upload): Received | undefined => {
  if (known.path !== path || known.size_bytes !== size)
    throw new Problem('conflict', 'This id belongs to the upload of another file. Choose another id.', {
      received: known.received_bytes,
    })
  if (known.is_written !== 1) return undefined
  if (sizeBytes !== undefined && offset + sizeBytes === size) return { received: size, written: true }
  throw new Problem('conflict', 'This file has arrived already. Choose another id to send it again.', {
    received: size,
  })
}
