import { hashFiles, listFiles } from '#drivers/rclone/rclone.ts'
import { checkRepository } from '#drivers/restic/restic.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { BothRepositories } from '../remote/open-storage.ts'

/** All files of a repository but its configuration are named after what is in them. */
const hashIn = (path: string): string | undefined =>
  /^(?:data\/..|index|keys|snapshots)\/([0-9a-f]{64})$/.exec(path)?.[1]

export const listNamed = async ({ storage }: Pick<BothRepositories, 'storage'>, slug: string): Promise<string[]> =>
  (await listFiles(storage, slug)).map(({ path }) => path).filter(path => hashIn(path) !== undefined)

/**
 * Reads back what was written, and compares it with its name: a storage may cut or change what it was given. Then follows
 * every snapshot to all it refers to.
 */
export const verifyCopy = async (
  both: BothRepositories,
  { slug, known }: { readonly slug: string; readonly known: ReadonlySet<string> },
): Promise<void> => {
  const fresh = (await listNamed(both, slug)).filter(path => !known.has(path))
  const hashes = fresh.length === 0 ? new Map() : await hashFiles(both.storage, slug, fresh)
  const damaged = fresh.filter(path => hashes.get(path) !== hashIn(path))
  if (damaged.length > 0) throw new CodedError('copy_damaged', `${damaged.length} files differ from what was uploaded`)
  await checkRepository(both.there)
}
