import { hashFiles, listFiles, type Stored } from '#drivers/rclone/rclone.ts'
import { checkRepository, listSnapshots } from '#drivers/restic/restic.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { BothRepositories } from '../remote/open-storage.ts'
import { readProven, steadily } from './prove-damage.ts'

const CONFIG = 'config'
/** All files of a repository but its configuration are named after what is in them. */
const hashIn = (path: string): string | undefined =>
  /^(?:data\/..|index|keys|snapshots)\/([0-9a-f]{64})$/.exec(path)?.[1]

type Seen = Pick<BothRepositories, 'storage'>

/** Every file of a repository, but for locks. */
export const namedIn = (stored: readonly Stored[]): string[] =>
  stored.map(({ path }) => path).filter(path => path === CONFIG || hashIn(path) !== undefined)

/** Those of the files that are not as they were written. Each was read whole, twice; what can't be read so is an error. */
export const listDamaged = ({ storage }: Seen, slug: string, paths: readonly string[]): Promise<string[]> =>
  steadily(async () => {
    if (paths.length === 0) return []
    const hashes = await hashFiles(storage, slug, paths)
    const damaged: string[] = []
    for (const path of paths.filter(one => !isRight(one, hashes.get(one))))
      if (!isRight(path, await readProven(storage, `${slug}/${path}`))) damaged.push(path)
    return damaged
  })

const isRight = (path: string, hash: string | undefined): boolean =>
  path === CONFIG ? hash !== undefined : hash === hashIn(path)

interface Copied {
  readonly slug: string
  readonly backupId: string
  /** Files that were verified before. */
  readonly known: ReadonlySet<string>
}

/**
 * Reads back what was written, and compares it with its name: a storage may cut or change what it was given. Then follows
 * every snapshot to all it refers to, that of the backup among them.
 */
export const verifyCopy = async (both: BothRepositories, { slug, backupId, known }: Copied): Promise<void> => {
  const fresh = namedIn(await listFiles(both.storage, slug)).filter(path => !known.has(path))
  const damaged = await listDamaged(both, slug, fresh)
  if (damaged.length > 0) throw new CodedError('copy_damaged', `${damaged.length} files differ from what was uploaded`)
  await checkRepository(both.there)
  if ((await listSnapshots(both.there, backupId)).length === 0)
    throw new CodedError('copy_damaged', 'The copy is incomplete: its snapshot is missing')
}
