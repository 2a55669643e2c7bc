import { z } from 'zod'
import { dropContainer } from '#drivers/docker/ensure-container.ts'
import { getServer, OWN_SERVER, ROOT, requireRoom } from '#features/servers/index.ts'
import { ask, runIn, type SiteFolder, withScratch } from '#features/sites/index.ts'
import { bringSiteImage, DEFAULT_PHP, dockerOf } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec } from '#platform/host/command.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import type { ZipFinding } from '../contract.ts'
import { openZip } from '../zip-files.ts'
import type { ZipRow } from '../zip-store.ts'

const MIB = 1024 ** 2
const UNPACK_MS = 10 * 60_000
const REMOVE_MS = 5 * 60_000
const MOST_OUTPUT_BYTES = 64 * MIB
const MOST_FINDINGS = 1000

/** What was found out about a zip. */
export interface Inspected {
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
  readonly findings: readonly ZipFinding[]
  readonly isScanned: boolean
  readonly problem: string | null
}

interface Wanted {
  readonly serverId: number
  readonly zip: ZipRow
  readonly folder: string
}

const workFolder = (jobId: string): string => `${ROOT}/zip-checks/${jobId}`
const containerName = (jobId: string): string => `fleetpress-zip-check-${jobId}`

/** Unpacks it where it can reach nothing, hashes every file and has a scanner judge them. Nothing of it is left. */
export const inspectZip = async (work: StepScope, wanted: Wanted): Promise<Inspected> => {
  const { hosts, jobId, signal } = work
  const host = hosts.get(wanted.serverId)
  if ((await getServer(work.db, wanted.serverId)).provisioned_at === null)
    throw new Problem('conflict', 'No server is set up to check the zip on. Set one up, then check it again.')
  await requireRoom(host, { neededBytes: 2 * wanted.zip.size_bytes, signal })
  const image = await bringSiteImage(hosts.get(OWN_SERVER), host, DEFAULT_PHP, imageWork(work))
  await removeUnpacked(work, wanted.serverId, jobId)
  const held = { name: containerName(jobId), image, source: workFolder(jobId) }
  try {
    await host.makeDir(workFolder(jobId), { mode: 0o700 })
    return await withScratch(host, held, { signal }, folder => inspectIn(work, folder, wanted))
  } finally {
    await removeUnpacked(work, wanted.serverId, jobId).catch(() => {})
  }
}

const inspectIn = async (work: StepScope, folder: SiteFolder, wanted: Wanted): Promise<Inspected> => {
  const refusal = await unpack(work, folder, wanted)
  if (refusal !== undefined) return { files: [], findings: [], isScanned: false, problem: refusal }
  const files = await hashFiles(work, folder, wanted.folder)
  return { files, ...(await judge(work, wanted, files.length)), problem: null }
}

const imageWork = ({ installation, signal, say, output, progress }: StepScope) => ({
  dataDir: installation.dataDir,
  signal,
  say,
  progress,
  onLine: (line: string) => output('stdout', line),
})

/** Harmless when there is nothing. */
export const removeUnpacked = async (
  { hosts }: Pick<StepScope, 'hosts'>,
  serverId: number,
  jobId: string,
): Promise<void> => {
  const host = hosts.get(serverId)
  await dropContainer(dockerOf(host), containerName(jobId))
  await host.run(exec('rm', '-rf', '--one-file-system', '--', workFolder(jobId)), { timeoutMs: REMOVE_MS })
}

const Staged = z.object({
  entries: z.array(z.object({ name: z.string().max(255), after: z.string().max(20) })).max(10),
})
const Done = z.unknown()

/** Why it can't be unpacked safely; every byte of it is read before the first is written. */
const unpack = async (
  work: StepScope,
  folder: SiteFolder,
  { zip, folder: name }: Wanted,
): Promise<string | undefined> => {
  const { installation, jobId, signal } = work
  const at = { id: jobId, path: '' }
  try {
    const options = { input: openZip(installation, zip.sha256), signal, timeoutMs: UNPACK_MS }
    const { entries } = await ask(folder, { op: 'stage', ...at, name, format: 'item' }, Staged, options)
    const wanted = entries.map(entry => ({ name: entry.name, inode: entry.after }))
    await ask(folder, { op: 'swap', ...at, wanted }, Done, { signal })
    await ask(folder, { op: 'unstage', id: jobId }, Done, { signal })
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return cleanLine(error.message, 500)
    throw error
  }
}

/** Relative to the plugin's folder, in the order of their paths. */
const hashFiles = async ({ signal }: StepScope, folder: SiteFolder, name: string): Promise<Inspected['files']> => {
  const argv = ['find', `./${name}`, '-type', 'f', '-exec', 'sha256sum', '-z', '--', '{}', '+'] as const
  const options = { signal, timeoutMs: UNPACK_MS, maxOutputBytes: MOST_OUTPUT_BYTES }
  const { stdout } = await runIn(folder, argv, options)
  return stdout
    .split('\0')
    .filter(line => line !== '')
    .map(line => ({ sha256: line.slice(0, 64), path: line.slice(66 + name.length + 3) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Every scanner is asked; without any, nothing was scanned. What they say comes from the files. */
const judge = async (
  work: StepScope,
  { serverId, folder: pluginFolder }: Wanted,
  files: number,
): Promise<Pick<Inspected, 'findings' | 'isScanned'>> => {
  const unpacked = { serverId, folder: workFolder(work.jobId), pluginFolder, files }
  const answers = await work.events.raise(work, 'judgeZip', unpacked)
  return { findings: answers.flat().slice(0, MOST_FINDINGS).map(clean), isScanned: answers.length > 0 }
}

const clean = (finding: ZipFinding): ZipFinding => ({
  ...finding,
  path: cleanLine(finding.path, 1000),
  label: cleanLine(finding.label, 200),
  rule: cleanLine(finding.rule, 200),
  detail: finding.detail === null ? null : cleanLine(finding.detail, 1000),
})
