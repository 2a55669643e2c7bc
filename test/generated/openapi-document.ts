import type { Endpoint } from '#platform/contract/endpoint.ts'
import type { Served } from './served.ts'

export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every object of a document, itself first, with the path to it. */
export const objectsIn = (value: unknown, path = '#'): { path: string; value: Json }[] => {
  if (Array.isArray(value)) return value.flatMap((item, at) => objectsIn(item, `${path}/${at}`))
  if (!isJson(value)) return []
  return [{ path, value }, ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, `${path}/${name}`))]
}

const at = (document: Json, pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (isJson(value) ? value[name] : undefined), document)

const METHODS = ['get', 'put', 'post', 'delete', 'patch']

export interface Operation {
  path: string
  method: string
  operation: Json
}

export const operationsIn = (document: Json): Operation[] =>
  Object.entries(document.paths as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation: operation as Json })),
  )

const parametersOf = (operation: Json, where: string): string[] =>
  ((operation.parameters ?? []) as Json[]).filter(({ in: place }) => place === where).map(({ name }) => String(name))

const faultsOfOperation = ({ path, method, operation }: Operation): string[] => {
  const about = `${method} ${path}`
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const responses = Object.entries((operation.responses ?? {}) as Record<string, Json>)
  return [
    ...(METHODS.includes(method) ? [] : [`${about}: no such method`]),
    ...(typeof operation.operationId === 'string' ? [] : [`${about}: no operationId`]),
    ...(JSON.stringify(parametersOf(operation, 'path')) === JSON.stringify(placeholders)
      ? []
      : [`${about}: the path parameters are not those of the path`]),
    ...(responses.some(([status]) => status === '101' || status.startsWith('2'))
      ? []
      : [`${about}: no answer that is a success`]),
    ...responses
      .filter(
        ([status, { description, $ref }]) =>
          !/^(?:[1-5]\d\d|default)$/.test(status) || typeof (description ?? $ref) !== 'string',
      )
      .map(([status]) => `${about}: the answer ${status} is not described`),
  ]
}

/** What makes a document no valid OpenAPI 3.1. */
export const faultsOfDocument = (document: Json): string[] => {
  const operations = operationsIn(document)
  const ids = operations.map(({ operation }) => String(operation.operationId))
  const info = document.info as Json | undefined
  return [
    ...(/^3\.1\.\d+$/.test(String(document.openapi)) ? [] : ['openapi is not 3.1']),
    ...(typeof info?.title === 'string' && typeof info.version === 'string' ? [] : ['info says no title or version']),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `two operations are called ${id}`),
    ...operations.flatMap(faultsOfOperation),
    ...objectsIn(document)
      .filter(({ value }) => typeof value.$ref === 'string' && at(document, value.$ref) === undefined)
      .map(({ path, value }) => `${path}: ${String(value.$ref)} does not exist`),
    ...securityFaults(document, operations),
    ...componentFaults(document),
  ]
}

/** Names that OpenAPI does not take, and schemas that nothing refers to. */
const componentFaults = (document: Json): string[] => {
  const { schemas = {} } = document.components as { schemas?: Json }
  const used = new Set(objectsIn(document).map(({ value }) => value.$ref))
  return Object.keys(schemas).flatMap(name => [
    ...(/^[\w.-]+$/.test(name) ? [] : [`${name} is no name for a component`]),
    ...(used.has(`#/components/schemas/${name}`) ? [] : [`nothing refers to the schema ${name}`]),
  ])
}

const isSchema = (value: Json) => 'type' in value || 'anyOf' in value || 'enum' in value

/** Schemas that are written down in full more than once, apart from short ones. */
export const repeatedSchemas = (document: Json, longest: number): string[] => {
  const seen = new Map<string, string>()
  return objectsIn(document).flatMap(({ path, value: whole }) => {
    const { description: _, default: __, ...value } = whole
    const text = JSON.stringify(value)
    if (!isSchema(value) || text.length < longest) return []
    const before = seen.get(text)
    seen.set(text, path)
    return before === undefined ? [] : [`${path} says again what ${before} says`]
  })
}

const securityFaults = (document: Json, operations: readonly Operation[]): string[] => {
  const schemes = Object.keys((document.components as Json).securitySchemes ?? {})
  return operations.flatMap(({ path, method, operation }) =>
    ((operation.security ?? []) as Json[])
      .flatMap(Object.keys)
      .filter(name => !schemes.includes(name))
      .map(name => `${method} ${path}: there is no security scheme ${name}`),
  )
}

const contentIn = (part: unknown): string | undefined =>
  isJson(part) ? Object.keys(part.content ?? {}).join() : undefined

const bodyTypeOf = ({ upload, body }: Endpoint): string | undefined => {
  if (upload) return upload.part === undefined ? 'application/octet-stream' : 'multipart/form-data'
  return body && 'application/json'
}

const headersOf = ({ conditional, download }: Endpoint): string[] => [
  ...(conditional || download ? ['If-Match', 'If-None-Match'] : []),
  ...(download?.ranges ? ['Range', 'If-Range'] : []),
]

/** How the document and the contract of an endpoint differ. */
export const differencesOf = (document: Json, { id, endpoint, group }: Served): string[] => {
  const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
  const operation = ((document.paths as Record<string, Json>)[path]?.[endpoint.method.toLowerCase()] ?? {}) as Json
  const said = {
    operationId: id,
    tags: [group],
    summary: endpoint.summary,
    'x-level': endpoint.level,
    'x-job': endpoint.job !== undefined && endpoint.job !== 'sometimes',
    'x-destructive': endpoint.destructive ?? false,
    'x-mcp': endpoint.mcp ?? 'yes',
  }
  const query = Object.keys(endpoint.query?.shape ?? {})
  return [
    ...Object.entries(said)
      .filter(([name, value]) => JSON.stringify(operation[name]) !== JSON.stringify(value))
      .map(([name, value]) => `${id}: ${name} is ${JSON.stringify(operation[name])}, not ${JSON.stringify(value)}`),
    ...(JSON.stringify(parametersOf(operation, 'query')) === JSON.stringify(query) ? [] : [`${id}: another query`]),
    ...(contentIn(operation.requestBody) === bodyTypeOf(endpoint) ? [] : [`${id}: another body`]),
    ...(JSON.stringify(parametersOf(operation, 'header')) === JSON.stringify(headersOf(endpoint))
      ? []
      : [`${id}: other headers`]),
  ]
}
