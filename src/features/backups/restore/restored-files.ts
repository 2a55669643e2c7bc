import { restoreFolder } from '#drivers/restic/restic.ts'
import { isSwapping, linkNext, makeNext, nextView, type SiteRow, swapNext } from '#features/sites/index.ts'
import { siteOwner } from '#features/stack/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { BackupRow } from '../backup-store.ts'
import { SITE } from '../create/take-snapshot.ts'
import { type Opened, withRepository } from '../repository/open-repository.ts'
import { placeOf, workInside } from '../repository/paths.ts'

const NEXT = '/next'
const LIMIT_MS = 30 * 60_000
/** Files get their owners and modes back, and those that the site has closed to itself are written, too. */
export const WRITE_EVERYTHING = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID']

/** Everything in the folder belongs to the site, whatever its user was when the backup was taken. */
const giveToSite = (opened: Opened, site: SiteRow) => {
  const { uid, gid } = siteOwner(site)
  const isOthers = ['(', '!', '-uid', String(uid), '-o', '!', '-gid', String(gid), ')']
  const give = ['-exec', 'chown', '--no-dereference', `${uid}:${gid}`, '{}', '+']
  return opened.run(['find', NEXT, ...isOthers, ...give], { timeoutMs: LIMIT_MS })
}

/** All files of the backup, next to those of the site. */
export const unpackFiles = async (work: StepScope, site: SiteRow, snapshotId: string): Promise<void> => {
  await makeNext(work.hosts.get(site.server_id), site)
  const opening = { purpose: work.jobId, mounts: [nextView(site, NEXT)], capAdd: WRITE_EVERYTHING }
  await withRepository(work, placeOf(site), opening, async opened => {
    await restoreFolder(opened.repository, { snapshotId, path: `${SITE}/files`, target: NEXT })
    await giveToSite(opened, site)
  })
}

/** Some files of the backup, where they wait until the site is stopped. */
export const unpackPaths = (opened: Opened, work: StepScope, row: BackupRow, paths: readonly string[]) =>
  restoreFolder(opened.repository, {
    snapshotId: row.snapshot_id ?? '',
    path: `${SITE}/files`,
    target: `${workInside(work.jobId)}/files`,
    only: paths,
  })

/**
 * Words: where the files wait, the folder of the site's next files, then paths. A link on the way to a path is replaced by
 * the folder that the backup has there: it could lead anywhere.
 */
const OVERLAY = `set -e
cd -- "$0"
next=$1
shift
for path in "$@"; do
  folder=
  IFS=/ read -r -a parts <<< "$path"
  for part in "\${parts[@]:0:\${#parts[@]}-1}"; do
    folder=$folder/$part
    if [ -L "$next$folder" ]; then rm -f -- "$next$folder"; fi
  done
  rm -rf -- "$next/$path"
  cp --archive --parents -- "$path" "$next/"
done`

/** The site is stopped by now. */
export const placeFiles = async (work: StepScope, site: SiteRow, paths: readonly string[]): Promise<void> => {
  const host = work.hosts.get(site.server_id)
  if (paths.length > 0 && !(await isSwapping(host, site))) {
    await linkNext(host, site)
    const opening = { purpose: work.jobId, mounts: [nextView(site, NEXT)], capAdd: WRITE_EVERYTHING }
    await withRepository(work, placeOf(site), opening, async opened => {
      await opened.run(['bash', '-c', OVERLAY, `${workInside(work.jobId)}/files`, NEXT, ...paths], {
        timeoutMs: LIMIT_MS,
      })
      await giveToSite(opened, site)
    })
  }
  await swapNext(host, site)
}
