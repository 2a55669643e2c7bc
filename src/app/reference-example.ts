import { z } from 'zod'
import { type Endpoint, successStatus } from '#platform/contract/endpoint.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  /** Of our texts, those that are valid here. */
  fitting?: string[]
  minimum?: number
  maximum?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

type Direction = 'input' | 'output'

const ID = '01936f0e-5c1a-7b3e-9d42-8f6a1c0b2d4e'
const TOKEN = 'x7Jv2mQ0pLr8sTdW4nYk1BzHf6cGaE9uRiOo3KqXyZe'
const AT = 1_763_200_000_000

/** Values by the end of a field's name, for text that should look like what it stands for. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/email|^to$/i, 'ada@example.com'],
  [/token|challenge/i, TOKEN],
  [/slug|^sites?$|label/i, 'harbor'],
  [/title/i, 'Harbor Café'],
  [/domain|host|hostname/i, 'www.example.com'],
  [/url/i, 'https://www.example.com'],
  [/ip$|address/i, '203.0.113.7'],
  [/password/i, 'correct horse battery staple'],
  [/locale/i, 'en_US'],
  [/timezone/i, 'Europe/Berlin'],
  [/user|login/i, 'ada'],
  [/action$|^type$|^category$/i, 'site.restart'],
  [/cron/i, '0 3 * * *'],
  [/route/i, '/wp/v2/posts'],
  [/command/i, 'plugin list'],
  [/version/i, '1.2.0'],
  [/mode/i, '0644'],
  [/name/i, 'Example'],
  [/path|from|file|folder/i, 'wp-content/uploads'],
]

/** Tried in this order where the name says nothing, or what it says does not fit. */
const OTHER_TEXTS = [
  'text',
  ID,
  'server-disk:1',
  '/srv/backups',
  'site.start',
  'harbor',
  '403',
  '644',
  TOKEN,
  '203.0.113.7',
]

const ALL_TEXTS = [...new Set([ID, ...TEXTS.map(([, text]) => text), ...OTHER_TEXTS])]

/** As JSON Schema, with what the schema itself says about each of our texts: its patterns are never compiled again. */
const describedOf = (schema: z.ZodType, direction: Direction): Schema =>
  z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (jsonSchema.type === 'string')
        jsonSchema.fitting = ALL_TEXTS.filter(text => z.safeParse(zodSchema, text).success)
    },
  }) as Schema

const textFor = (name: string, { fitting = [] }: Schema): string => {
  const named = TEXTS.filter(([end]) => end.test(name)).map(([, text]) => text)
  const wanted = [...(/id$/i.test(name) ? [ID] : []), ...named, ...OTHER_TEXTS]
  return wanted.find(text => fitting.includes(text)) ?? fitting[0] ?? ''
}

const numberFor = (name: string, { minimum, maximum }: Schema): number => {
  const usual = /(?:^at|At|since|until)$/.test(name)
    ? AT
    : /share/i.test(name)
      ? 0.12
      : /bytes/i.test(name)
        ? 1_048_576
        : 1
  return Math.min(maximum ?? usual, Math.max(minimum ?? usual, usual))
}

const objectFor = ({ properties = {}, required = [] }: Schema, direction: Direction): Record<string, unknown> => {
  const names = Object.keys(properties)
  const needed = direction === 'output' ? names : names.filter(name => required.includes(name))
  // A change of nothing would be refused, so one field stands for all that can be left out.
  const shown = needed.length > 0 ? needed : names.slice(0, 1)
  return Object.fromEntries(shown.map(name => [name, valueFor(name, properties[name] ?? {}, direction)]))
}

const isNull = ({ type }: Schema) => type === 'null'

const valueFor = (name: string, schema: Schema, direction: Direction): unknown => {
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const variant = (schema.anyOf ?? schema.oneOf)?.find(one => !isNull(one))
  if (variant) return valueFor(name, variant, direction)
  const type = [schema.type].flat().find(one => one !== 'null')
  if (type === 'string') return textFor(name, schema)
  if (type === 'number' || type === 'integer') return numberFor(name, schema)
  if (type === 'boolean') return true
  if (type === 'array') return schema.items ? [valueFor(name, schema.items, direction)] : []
  if (type === 'object') return objectFor(schema, direction)
  return null
}

/** A value that a schema of the contracts takes or gives; its own `examples` come first. */
export const exampleOf = (schema: z.ZodType, direction: Direction): unknown =>
  valueFor('', describedOf(schema, direction), direction)

const recordOf = (schema: z.ZodType | undefined, requiredOnly: boolean): Record<string, unknown> => {
  if (!schema) return {}
  const json = describedOf(schema, 'input')
  const values = exampleOf(schema, 'input') as Record<string, unknown>
  return requiredOnly && (json.required ?? []).length === 0 ? {} : values
}

/** A word of a shell: in single quotes unless every character is harmless. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./?&-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

const addressOf = ({ path, params, query }: Endpoint): string => {
  const values = recordOf(params, false)
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const search = new URLSearchParams(
    Object.entries(recordOf(query, true)).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return `https://panel.example.com${filled}${search.size > 0 ? `?${search.toString()}` : ''}`
}

const bytesOf = ({ upload, download, body }: Endpoint): string[] => {
  if (download) return ['-o file']
  if (!upload)
    return body ? ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(exampleOf(body, 'input')))}`] : []
  if (upload.part === undefined) return ['-H "Content-Type: application/octet-stream"', '--data-binary @file']
  const fields = Object.entries(recordOf(body, false)).map(
    ([name, value]) => `-F ${quoted(`${name}=${String(value)}`)}`,
  )
  return [...fields, `-F ${upload.part}=@file`]
}

/** A call of an endpoint for a terminal; people's own endpoints need a session instead of a key. */
export const exampleCall = (endpoint: Endpoint): string => {
  const { method, level, personOnly } = endpoint
  const access = personOnly
    ? ['-b cookies.txt', '-H "X-CSRF-Token: $CSRF_TOKEN"']
    : level === 'none'
      ? []
      : ['-H "Authorization: Bearer $FLEETPRESS_KEY"']
  const start = `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(addressOf(endpoint))}`
  return [start, ...access, ...bytesOf(endpoint)].join(' \\\n  ')
}

/** What it returns then, with its status. */
export const exampleAnswer = (endpoint: Endpoint): string => {
  const status = `HTTP ${successStatus(endpoint)}`
  return endpoint.reply ? `${status}\n${JSON.stringify(exampleOf(endpoint.reply, 'output'), null, 2)}` : status
}
