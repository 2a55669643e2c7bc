import { z } from 'zod'
import { ACCEPTED, type Endpoint, successStatuses } from '#platform/contract/endpoint.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { PROBLEM_CODES, PROBLEM_STATUS, ProblemBody } from '#platform/contract/problem.ts'
import { features } from './features.ts'
import { VERSION } from './version.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Json
  return json
}

const parametersOf = (where: 'path' | 'query', schema: z.ZodObject | undefined): Json[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...fieldSchema }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: fieldSchema,
  }))
}

const problemStatuses = [...new Set(Object.values(PROBLEM_STATUS))].map(String)

/** The same status can come with several codes: 409 is both `conflict` and `job_conflict`. */
const problemResponses = (): Json =>
  Object.fromEntries(
    problemStatuses.map(status => [
      `Problem${status}`,
      {
        description: PROBLEM_CODES.filter(code => String(PROBLEM_STATUS[code]) === status).join(' or '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )

const problemReferences = (): Json =>
  Object.fromEntries(problemStatuses.map(status => [status, { $ref: `#/components/responses/Problem${status}` }]))

const operationOf = (id: string, group: string, endpoint: Endpoint): Json => ({
  operationId: id,
  tags: [group],
  summary: endpoint.summary,
  description: accessSentence(endpoint),
  'x-level': endpoint.level,
  'x-job': endpoint.job !== undefined && endpoint.job !== 'sometimes',
  'x-destructive': endpoint.destructive ?? false,
  'x-mcp': endpoint.mcp ?? 'yes',
  security: endpoint.level === 'none' ? [] : [...(endpoint.personOnly ? [] : [{ key: [] }]), { session: [] }],
  parameters: [...parametersOf('path', endpoint.params), ...parametersOf('query', endpoint.query)],
  ...(endpoint.body
    ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } } }
    : {}),
  responses: { ...successesOf(endpoint), ...problemReferences() },
})

const successesOf = (endpoint: Endpoint): Json =>
  Object.fromEntries(successStatuses(endpoint).map(status => [String(status), successOf(endpoint, status)]))

const successOf = (endpoint: Endpoint, status: number): Json => {
  if (endpoint.socket) return { description: endpoint.socket.about }
  const isJob = endpoint.job !== undefined && endpoint.job !== 'many' && status === ACCEPTED
  return {
    description: isJob ? 'The job that does it' : 'Done',
    ...(isJob ? { headers: { Location: { description: 'Where to poll the job', schema: { type: 'string' } } } } : {}),
    content: { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } },
  }
}

export const accessSentence = (endpoint: Endpoint): string => {
  if (endpoint.level === 'none') return 'Needs no key.'
  const raised = endpoint.raised ? `; ${LEVEL_NAMES[endpoint.raised.level]} ${endpoint.raised.when}` : ''
  const person = endpoint.personOnly ? ' A browser session only; keys are refused.' : ''
  return `Needs ${LEVEL_NAMES[endpoint.level]}${raised}.${person}`
}

/** The API as OpenAPI 3.1, made from the contracts and from nothing else. */
export const openApi = (): Json => {
  const paths: Record<string, Json> = {}
  const groups = features.filter(feature => feature.group !== undefined)
  for (const feature of groups) {
    for (const [id, endpoint] of Object.entries(feature.contract)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(id, feature.group ?? '', endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fleetpress',
      version: VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Control panel for a fleet of servers that host WordPress sites. Long work answers 202 with a job to poll.',
    },
    servers: [{ url: '/' }],
    tags: groups.map(feature => ({ name: feature.group })),
    paths,
    components: {
      schemas: { Problem: schemaOf(ProblemBody, 'output') },
      responses: problemResponses(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: fp_ro_…, fp_mg_… or fp_fu_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-fleetpress',
          description: 'A signed-in browser; changes also need the X-CSRF-Token header',
        },
      },
    },
  }
}
