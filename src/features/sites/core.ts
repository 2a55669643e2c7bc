import { randomBytes } from 'node:crypto'
import { fetchCore } from '#drivers/wordpress-org/fetch-core.ts'
import { unpackCore } from '#drivers/wordpress-org/unpack-core.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import { exec } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { coreFolder, WWW_DATA } from './places.ts'
import type { SiteRow } from './site-store.ts'

type Work = Pick<StepContext, 'hosts' | 'place' | 'signal' | 'say'>

/** An unpacked WordPress on the server, to copy new sites from; brought there once per version and language. */
export const ensureCore = async ({ hosts, place, signal, say }: Work, site: SiteRow): Promise<string> => {
  const archive = await fetchCore({
    version: 'latest',
    locale: site.locale,
    cacheDir: `${place.dataDir}/cache`,
    host: hosts.get(OWN_SERVER),
    signal,
  })
  const host = hosts.get(site.server_id)
  const folder = coreFolder(archive.version, archive.locale)
  if (await isFolder(host, folder)) return folder
  say(`WordPress ${archive.version} is brought to the server.`)
  const unfinished = `${folder}.${randomBytes(6).toString('hex')}`
  await host.makeDir(unfinished)
  try {
    await unpackCore(host, { archive: archive.path, folder: unfinished, owner: WWW_DATA, signal })
    await host.run(exec('mv', '-T', '--', unfinished, folder), { signal })
  } catch (error) {
    await host.run(exec('rm', '-rf', '--', unfinished)).catch(() => {})
    throw error
  }
  return folder
}

const isFolder = async (host: Host, path: string): Promise<boolean> => {
  try {
    return (await host.stat(path)).kind === 'directory'
  } catch (error) {
    if (error instanceof FileNotFound) return false
    throw error
  }
}
