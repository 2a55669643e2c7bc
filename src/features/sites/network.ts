import { SITE_POOL } from '#features/stack/index.ts'

export interface SiteNetwork {
  readonly name: string
  readonly subnet: string
  readonly gateway: string
  /** Of the site itself. */
  readonly address: string
}

const PREFIX = 29
const SIZE = 2 ** (32 - PREFIX)

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const addressOf = (number: number) => [24, 16, 8, 0].map(shift => (number >>> shift) & 255).join('.')

const [POOL_START = '', POOL_PREFIX = ''] = SITE_POOL.split('/')

/** How many sites a server can have. The last network is that of the mail relay. */
export const NETWORKS = 2 ** (PREFIX - Number(POOL_PREFIX)) - 1

/** Eight addresses each, always the same for one number: Docker's own pools are used up after thirty sites. */
export const siteNetwork = (slug: string, index: number): SiteNetwork => {
  if (index >= NETWORKS) throw new Error(`there is no network ${index}`)
  const start = numberOf(POOL_START) + index * SIZE
  return {
    name: siteName(slug),
    subnet: `${addressOf(start)}/${PREFIX}`,
    gateway: addressOf(start + 1),
    address: addressOf(start + 2),
  }
}

/** What the container and the network of a site are called. */
export const siteName = (slug: string): string => `fleetpress-site-${slug}`
