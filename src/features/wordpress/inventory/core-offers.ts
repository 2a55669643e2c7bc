import { compareVersions } from '#drivers/wordpress-org/compare-versions.ts'

const RELEASE = /^\d{1,3}\.\d{1,3}(\.\d{1,3})?$/

const branchOf = (version: string): string => version.split('.').slice(0, 2).join('.')

/** Of the releases on offer, the newest that is newer than this one, and the newest of the same branch. */
export const chooseOffers = (version: string, offers: readonly string[]) => {
  const newer = offers
    .filter(offer => RELEASE.test(offer) && compareVersions(offer, version) > 0)
    .toSorted((a, b) => compareVersions(b, a))
  return {
    newest: newer[0] ?? null,
    minor: newer.find(offer => branchOf(offer) === branchOf(version)) ?? null,
  }
}
