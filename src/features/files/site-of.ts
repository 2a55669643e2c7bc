import { DockerError } from '#drivers/docker/client.ts'
import { getSite, runningFolder, type SiteFolder, type SiteRow } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'

type Work = Pick<Scope, 'db' | 'hosts'>

/** Files are worked on inside the running site. */
export const runningSite = async ({ db }: Pick<Work, 'db'>, slug: string): Promise<SiteRow> => {
  const site = await getSite(db, slug)
  if (site.status !== 'running') throw notRunning(slug, site.status)
  return site
}

const notRunning = (slug: string, status: string) =>
  new Problem('conflict', `${slug} isn't running. Start it to work on its files.`, { status })

/** Does something with the files of a running site. */
export const withRunningSite = async <T>(
  work: Work,
  slug: string,
  act: (folder: SiteFolder, site: SiteRow) => Promise<T>,
): Promise<T> => {
  const site = await runningSite(work, slug)
  try {
    return await act(runningFolder(work, site), site)
  } catch (error) {
    // The engine's words for a container that has ended, is held, or is not there.
    if (error instanceof DockerError && (error.status === 404 || error.status === 409))
      throw notRunning(slug, 'unavailable')
    throw error
  }
}
