import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'

const SITES_FOLDER = '/srv/fleetpress/sites'
const SITES_PER_RUN = 20
const TIMEOUT_MS = 10 * 60_000

/**
 * What the files of each site take on disk. Slow, so it runs behind everything else on that server and a few sites at a
 * time; a site whose folder could not be read is left out.
 */
export const readSiteDisk = async (
  host: Host,
  slugs: readonly string[],
  signal: AbortSignal,
  folder = SITES_FOLDER,
): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  for (let index = 0; index < slugs.length; index += SITES_PER_RUN) {
    const wanted = new Map(slugs.slice(index, index + SITES_PER_RUN).map(slug => [`${folder}/${slug}`, slug]))
    const { stdout } = await host.run(
      exec('nice', '-n', '19', 'ionice', '-c', '3', 'du', '-s', '-x', '-l', '-B', '1', '--', ...wanted.keys()),
      // Files come and go while they are counted, which is not a failure.
      { signal, timeoutMs: TIMEOUT_MS, allowExitCodes: [1] },
    )
    for (const line of stdout.split('\n')) {
      const [, bytes, path] = /^(\d{1,15})\t(.+)$/.exec(line) ?? []
      const slug = wanted.get(path ?? '')
      if (slug !== undefined) found.set(slug, Number(bytes))
    }
  }
  return found
}
