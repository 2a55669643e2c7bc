import { features } from '#app/features.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import type { Feature } from '#platform/feature.ts'

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

export const reading = served.filter(({ endpoint }) => endpoint.method === 'GET')
export const changing = served.filter(({ endpoint }) => endpoint.method !== 'GET')
export const titleOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`
