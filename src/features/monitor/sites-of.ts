import type { ContainerUse } from './read-sample.ts'

/** One container per site: while one is recreated there may be two, and the running one counts. */
export const sitesOf = (containers: readonly ContainerUse[]): Map<string, ContainerUse> => {
  const sites = new Map<string, ContainerUse>()
  for (const container of containers) {
    const { siteSlug } = container
    if (siteSlug !== null && !sites.get(siteSlug)?.up) sites.set(siteSlug, container)
  }
  return sites
}
