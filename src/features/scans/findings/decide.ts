import { getSite } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { changeFinding, type FindingRow, getFinding } from './finding-store.ts'

type Status = FindingRow['status']

/** The finding, for anyone who is about to decide about it. */
export const findingThatIs = async (
  { db }: Pick<Scope, 'db'>,
  { slug, id }: { slug: string; id: string },
  wanted: Status,
): Promise<FindingRow> => {
  await getSite(db, slug)
  const finding = await getFinding(db, slug, id)
  if (finding.status !== wanted) throw wrongStatus(finding.status, wanted)
  return finding
}

const wrongStatus = (status: Status, wanted: Status): Problem =>
  new Problem('conflict', `This finding is ${status}. This only works for ${wanted} findings.`, { status })

/** What a person decides about a finding, from one status to another. */
export const decide = async (
  scope: Pick<Scope, 'db' | 'now'>,
  named: { slug: string; id: string },
  { from, to }: { from: Status; to: Status },
): Promise<FindingRow> => {
  const finding = await findingThatIs(scope, named, from)
  const change = { status: to, changed_at: scope.now() }
  if (!(await changeFinding(scope.db, finding, change)))
    throw wrongStatus((await getFinding(scope.db, named.slug, named.id)).status, from)
  return { ...finding, ...change }
}
