import type { Feature } from '#platform/feature.ts'
import type { Route } from '#platform/http/answer.ts'
import type { AnyHandler } from '#platform/http/handlers.ts'

/** Every endpoint of every feature with its handler; two of the same name cannot be. */
export const routesOf = (features: readonly Feature[]): Route[] => {
  const routes = features.flatMap(feature =>
    Object.entries(feature.contract).map(([id, endpoint]) => ({
      id,
      endpoint,
      handler: feature.routes[id] as AnyHandler,
    })),
  )
  if (new Set(routes.map(route => route.id)).size !== routes.length) throw new Error('two endpoints have the same name')
  return routes
}
