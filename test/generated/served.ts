import { features } from '#app/features.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import type { Feature } from '#platform/feature.ts'
import { plantedBytes } from './planted-bytes.ts'

/** One endpoint as a feature serves it. */
export interface Served {
  id: string
  group: string | undefined
  endpoint: Endpoint
}

export const servedBy = (those: readonly Feature[]): Served[] =>
  those.flatMap(({ group, contract }) => Object.entries(contract).map(([id, endpoint]) => ({ id, group, endpoint })))

/** Everything the product serves: the suites run over it, so what is added later is covered as it comes. */
export const served: readonly Served[] = servedBy(features)

/** The product, and next to it endpoints of every kind that carries bytes. */
export const tried: readonly Feature[] = [...features, plantedBytes()]
/** `Notes` for one who adds a group and has tried all others; everything without it. */
const ONLY_GROUP = process.env.FLEETPRESS_TEST_GROUP
export const allTried: readonly Served[] = servedBy(tried).filter(
  ({ group }) => ONLY_GROUP === undefined || group === ONLY_GROUP,
)
export const reading = allTried.filter(({ endpoint }) => endpoint.method === 'GET')
export const changing = allTried.filter(({ endpoint }) => endpoint.method !== 'GET')
export const titleOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`
