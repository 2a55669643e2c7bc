import type { Contract } from '#platform/contract/endpoint.ts'
import type { Feature } from '#platform/feature.ts'
import type { Handlers } from '#platform/http/handlers.ts'

/** A feature that exists in one test only: what a suite must notice, or something to try it on. */
export const plant = <const C extends Contract>(
  contract: C,
  routes: Handlers<C>,
  more: Partial<Feature> = {},
): Feature => ({ name: 'planted', uses: [], contract, routes, ...more })
