import { ACCEPTED, type Endpoint, PARTIAL, successStatuses, UNCHANGED } from '#platform/contract/endpoint.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { schemaOf } from './openapi-schema.ts'

type Json = Record<string, unknown>
type JsonSchemaOf = (schema: Json, name: string) => Json

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** A name for what an operation takes or gives, from its one or two fields or else from the operation. */
const nameOf = (id: string, schema: Json, kind: 'Body' | 'Answer'): string => {
  const fields = Object.keys(schema.properties ?? {})
  return `${fields.length > 0 && fields.length <= 2 ? fields.map(pascal).join('') : pascal(id)}${kind}`
}

const parametersOf = (where: 'path' | 'query', { params, query }: Endpoint, refer: JsonSchemaOf): Json[] => {
  const schema = where === 'path' ? params : query
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: refer(field, pascal(name)),
  }))
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const headersOf = ({ conditional, download }: Endpoint): Json[] => [
  ...(conditional || download ? [header('If-Match', 'ETags it must have, or * for any')] : []),
  ...(conditional || download ? [header('If-None-Match', 'ETags it must not have, or * for any')] : []),
  ...(download?.ranges ? [header('Range', 'the range to return, such as bytes=1000-')] : []),
  ...(download?.ranges ? [header('If-Range', 'the ETag of the part you already have')] : []),
]

const BINARY = { contentMediaType: 'application/octet-stream' }

const bodyOf = (id: string, { body, upload }: Endpoint, refer: JsonSchemaOf): Json => {
  const fields = body ? schemaOf(body, 'input') : {}
  const json = () => refer(fields, nameOf(id, fields, 'Body'))
  if (upload?.part !== undefined) {
    const { properties, required = [] } = fields as { properties?: Json; required?: string[] }
    const schema = {
      type: 'object',
      properties: { ...properties, [upload.part]: BINARY },
      required: [...required, upload.part],
      additionalProperties: false,
    }
    const description = `At most ${upload.maxBytes} bytes in ${upload.part}, after the other fields.`
    return { requestBody: { required: true, description, content: { 'multipart/form-data': { schema } } } }
  }
  if (upload) {
    const description = `At most ${upload.maxBytes} bytes.`
    return { requestBody: { required: true, description, content: { 'application/octet-stream': {} } } }
  }
  if (!body) return {}
  const required = !body.safeParse(undefined).success
  return { requestBody: { required, content: { 'application/json': { schema: json() } } } }
}

const TEXT_HEADER = { schema: { type: 'string' } }

const bytesAnswer = (type: string, status: number, ranges: boolean): Json => {
  if (status === UNCHANGED) return { description: 'Not modified' }
  return {
    description: status === PARTIAL ? 'The requested range' : 'The bytes',
    headers: {
      'Content-Disposition': TEXT_HEADER,
      ETag: TEXT_HEADER,
      ...(ranges ? { 'Accept-Ranges': TEXT_HEADER } : {}),
      ...(status === PARTIAL ? { 'Content-Range': TEXT_HEADER } : {}),
    },
    content: { [type]: {} },
  }
}

const successOf = (id: string, endpoint: Endpoint, status: number, refer: JsonSchemaOf): Json => {
  const { socket, download, reply, job } = endpoint
  if (socket) return { description: socket.about }
  if (!reply) return bytesAnswer(download.type, status, download.ranges ?? false)
  const isJob = job !== undefined && job !== 'many' && status === ACCEPTED
  const schema = schemaOf(reply, 'output')
  return {
    description: isJob ? 'The job that does it' : 'Done',
    ...(isJob ? { headers: { Location: { description: 'Where to poll the job', ...TEXT_HEADER } } } : {}),
    content: { 'application/json': { schema: refer(schema, nameOf(id, schema, 'Answer')) } },
  }
}

export const accessSentence = (endpoint: Endpoint): string => {
  if (endpoint.level === 'none') return 'Needs no key.'
  const raised = endpoint.raised ? `; ${LEVEL_NAMES[endpoint.raised.level]} ${endpoint.raised.when}` : ''
  const person = endpoint.personOnly ? ' Browser sessions only; keys are refused.' : ''
  return `Needs ${LEVEL_NAMES[endpoint.level]}${raised}.${person}`
}

/** One endpoint in the words of OpenAPI; each schema goes through `refer`. */
export const operationOf = (id: string, group: string, endpoint: Endpoint, refer: JsonSchemaOf): Json => ({
  operationId: id,
  tags: [group],
  summary: endpoint.summary,
  description: accessSentence(endpoint),
  'x-level': endpoint.level,
  'x-job': endpoint.job !== undefined && endpoint.job !== 'sometimes',
  'x-destructive': endpoint.destructive ?? false,
  'x-mcp': endpoint.mcp ?? 'yes',
  security: endpoint.level === 'none' ? [] : [...(endpoint.personOnly ? [] : [{ key: [] }]), { session: [] }],
  parameters: [
    ...parametersOf('path', endpoint, refer),
    ...parametersOf('query', endpoint, refer),
    ...headersOf(endpoint),
  ],
  ...bodyOf(id, endpoint, refer),
  responses: {
    ...Object.fromEntries(
      successStatuses(endpoint).map(status => [String(status), successOf(id, endpoint, status, refer)]),
    ),
    default: { $ref: '#/components/responses/Problem' },
  },
})
