import { aroundView, pump, type SiteRow } from '#features/sites/index.ts'
import { type Argv, exec } from '#platform/host/command.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { listItems } from './quarantine-store.ts'

const LIMIT_MS = 3_600_000
const FOLDER = 'quarantine'
const PACK = ['tar', '--create', '--format=posix', '--numeric-owner', '--file=-'] as const
const UNPACK: Argv = ['tar', '--extract', '--numeric-owner', '--same-permissions', '--same-owner', '--file=-']

/** Files in quarantine move along. The old ones go with the old folder of the site; cut off, it can be done again. */
export const followSite = async (work: StepScope, site: SiteRow, fromServerId: number): Promise<void> => {
  const kept = (await listItems(work.db, site.slug)).filter(({ status }) => status === 'kept')
  if (kept.length === 0) return
  const { source } = aroundView(site, '/')
  const [from, to] = [work.hosts.get(fromServerId), work.hosts.get(site.server_id)]
  await to.makeDir(`${source}/${FOLDER}`, { mode: 0o700 })
  await pump(
    (onStdout, signal) => from.stream(exec(...PACK, '-C', source, FOLDER), { onStdout, signal, timeoutMs: LIMIT_MS }),
    (stdin, signal) => to.run(exec(...UNPACK, '-C', source), { stdin, signal, timeoutMs: LIMIT_MS }),
    work.signal,
  )
  work.say(`${kept.length} files in quarantine moved along.`)
}
