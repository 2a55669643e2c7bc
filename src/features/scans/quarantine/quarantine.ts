import { getSite, type SiteRow } from '#features/sites/index.ts'
import { describeActor } from '#platform/access/actor.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { changeOfItem, type FindingRow, followFile } from '../findings/finding-store.ts'
import { dropFile, type MoveWork, restoreFile, takeFile } from './move-file.ts'
import { changeItem, getItem, insertItem, type QuarantineRow } from './quarantine-store.ts'

type Work = MoveWork & Pick<Scope, 'db' | 'now'>

interface Moving {
  /** Of the item; the same one again finds what was moved. */
  readonly id: string
  readonly by: string
}

/** The file of a finding leaves the site, with all that was found in it. */
export const quarantine = async (
  work: Work,
  site: SiteRow,
  finding: FindingRow,
  { id, by }: Moving,
): Promise<QuarantineRow> => {
  const { path, label, severity } = finding
  const moved = await takeFile(work, site, { id, path })
  const row: QuarantineRow = {
    id,
    site_slug: site.slug,
    path,
    status: 'kept',
    label,
    severity,
    size_bytes: moved.size,
    mode: moved.mode,
    uid: moved.uid,
    gid: moved.gid,
    modified_at: moved.modified,
    sha256: moved.sha256 ?? null,
    moved_by: by,
    created_at: work.now(),
    ended_at: null,
  }
  await insertItem(work.db, row)
  const change = { status: 'quarantined', quarantine_id: id, changed_at: work.now() } as const
  await followFile(work.db, { slug: site.slug, path, from: 'open' }, change)
  return row
}

const keptItem = async ({ db }: Pick<Scope, 'db'>, slug: string, id: string): Promise<QuarantineRow> => {
  const item = await getItem(db, slug, id)
  if (item.status !== 'kept')
    throw new Problem('conflict', `The file is no longer in quarantine: it was ${item.status}.`)
  return item
}

const ended = async ({ db, now }: Pick<Scope, 'db' | 'now'>, row: QuarantineRow, status: 'restored' | 'deleted') => {
  const change = { status, ended_at: now() }
  await changeItem(db, row.id, change)
  return { ...row, ...change }
}

export const restoreItem = async (scope: Work, slug: string, id: string): Promise<QuarantineRow> => {
  const [site, item] = [await getSite(scope.db, slug), await keptItem(scope, slug, id)]
  await restoreFile(scope, site, item)
  // The next scan finds the same file and leaves it alone.
  const { sha256, modified_at } = item
  await changeOfItem(scope.db, id, {
    status: 'ignored',
    quarantine_id: null,
    changed_at: scope.now(),
    sha256,
    modified_at,
  })
  return ended(scope, item, 'restored')
}

export const deleteItem = async (scope: Work, slug: string, id: string): Promise<QuarantineRow> => {
  const [site, item] = [await getSite(scope.db, slug), await keptItem(scope, slug, id)]
  await dropFile(scope, site, item)
  await changeOfItem(scope.db, id, { status: 'resolved', changed_at: scope.now() })
  return ended(scope, item, 'deleted')
}

export const movedBy = ({ actor }: Pick<Scope, 'actor'>): string => describeActor(actor)
