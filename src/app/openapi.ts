import { PROBLEM_CODES, PROBLEM_STATUS, ProblemBody } from '#platform/contract/problem.ts'
import type { Feature } from '#platform/feature.ts'
import { type ApiGroup, apiGroups } from './api-groups.ts'
import { Components, type Place } from './openapi-components.ts'
import { operationOf } from './openapi-operation.ts'
import { schemaOf } from './openapi-schema.ts'
import { VERSION } from './version.ts'

type Json = Record<string, unknown>

/** The answer to everything that is not a success. */
const problemResponse = (): Json => ({
  description: `An error: ${PROBLEM_CODES.map(code => `${code} (${PROBLEM_STATUS[code]})`).join(', ')}`,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const securitySchemes = {
  key: { type: 'http', scheme: 'bearer', description: 'An API key: fp_ro_…, fp_mg_… or fp_fu_…' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-fleetpress',
    description: 'A signed-in browser; changes also need the X-CSRF-Token header',
  },
}

type Paths = Record<string, Json>

const pathsOf = (groups: readonly ApiGroup[], refer: (place: Place) => Json): Paths => {
  const paths: Paths = {}
  for (const { contract, name: group } of groups) {
    for (const [id, endpoint] of Object.entries(contract)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      const operation = operationOf(id, group, endpoint, (schema, name) => refer({ schema, name, operationId: id }))
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation }
    }
  }
  return paths
}

/** The API as OpenAPI 3.1, made from the contracts and from nothing else. What stands in several places is said once. */
export const openApi = (features?: readonly Feature[]): Json => {
  const groups = apiGroups(features)
  const places: Place[] = []
  pathsOf(groups, place => {
    places.push(place)
    return place.schema
  })
  const components = new Components(places)
  const paths = pathsOf(groups, place => components.refer(place))
  const schemas = { Problem: schemaOf(ProblemBody, 'output'), ...components.schemas }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fleetpress',
      version: VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Control panel for a fleet of servers that host WordPress sites. Long-running work returns 202 with a job to poll.',
    },
    servers: [{ url: '/' }],
    tags: groups.map(({ name }) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => a.localeCompare(b))),
      responses: { Problem: problemResponse() },
      securitySchemes,
    },
  }
}

/** The same as it is checked in as `openapi.json`. */
export const openApiText = (): string => `${JSON.stringify(openApi(), null, 2)}\n`
