import { z } from 'zod'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { PROBLEM_STATUS } from '#platform/contract/problem.ts'
import { features } from './features.ts'
import { accessSentence } from './openapi.ts'
import { REFERENCE_CSS } from './reference-style.ts'
import { VERSION } from './version.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const text = (value: string): string => value.replace(/[&<>"']/g, character => ESCAPES[character] ?? character)

interface FieldSchema {
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  anyOf?: FieldSchema[]
  items?: FieldSchema
  properties?: Record<string, FieldSchema>
  required?: string[]
}

const typeOf = (schema: FieldSchema): string => {
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.items) return `${typeOf(schema.items)}[]`
  if (schema.properties) return `{${Object.keys(schema.properties).join(', ')}}`
  return [schema.type ?? 'any'].flat().join(' | ')
}

const limits = (schema: FieldSchema): string =>
  [
    schema.minimum === undefined ? '' : `from ${schema.minimum}`,
    schema.maximum === undefined ? '' : `to ${schema.maximum}`,
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(part => part !== '')
    .join(', ')

const fieldRows = (title: string, schema: z.ZodType | undefined, io: 'input' | 'output'): string => {
  if (!schema) return ''
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as FieldSchema
  const rows = Object.entries(json.properties ?? {}).map(([name, field]) => {
    const optional = io === 'input' && !json.required?.includes(name) ? '?' : ''
    const words = [field.description, limits(field)].filter(Boolean).join('; ')
    return `<tr><td><code>${text(name)}${optional}</code></td><td>${text(typeOf(field))}</td><td>${text(words)}</td></tr>`
  })
  return rows.length > 0 ? `<h4>${title}</h4><table>${rows.join('')}</table>` : ''
}

const badges = (endpoint: Endpoint): string =>
  [
    `<span class="badge ${endpoint.level}">${LEVEL_NAMES[endpoint.level]}</span>`,
    endpoint.job ? '<span class="badge">Job</span>' : '',
    endpoint.socket ? '<span class="badge">WebSocket</span>' : '',
    endpoint.destructive ? '<span class="badge danger">Destructive</span>' : '',
    endpoint.mcp === 'no' ? '<span class="badge">Not over MCP</span>' : '',
    endpoint.mcp === 'file-tools' ? '<span class="badge">MCP file tools only</span>' : '',
    endpoint.limit
      ? `<span class="badge">${endpoint.limit.requests} per ${endpoint.limit.windowMs / 1000} s</span>`
      : '',
  ].join(' ')

const socketNotes = ({ socket }: Endpoint): string =>
  socket
    ? `<p>${text(socket.about)} At most ${socket.perCaller} open per caller, ${socket.inAll} in all. With a session the Origin must be the panel's own.</p>`
    : ''

const section = (id: string, endpoint: Endpoint): string => `
<details id="${id}"><summary><span class="method ${endpoint.method}">${endpoint.method}</span> <code>${text(endpoint.path)}</code> <span class="what">${text(endpoint.summary)}</span> ${badges(endpoint)}</summary>
<p>${text(accessSentence(endpoint))} Operation <code>${id}</code>.</p>${socketNotes(endpoint)}
${fieldRows('Path', endpoint.params, 'input')}${fieldRows('Query', endpoint.query, 'input')}${fieldRows('Body', endpoint.body, 'input')}${fieldRows('Answer', endpoint.reply, 'output')}
</details>`

const errorRows = (): string =>
  Object.entries(PROBLEM_STATUS)
    .map(([code, status]) => `<tr><td><code>${code}</code></td><td>${status}</td></tr>`)
    .join('')

/** The API reference as one page without scripts, made from the contracts. */
export const renderReference = (): { html: string; css: string } => {
  const groups = features.filter(feature => feature.group !== undefined)
  const body = groups
    .map(
      ({ group = '', contract }) =>
        `<h2>${text(group)}</h2>${Object.entries(contract)
          .map(([id, endpoint]) => section(id, endpoint))
          .join('')}`,
    )
    .join('')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Fleetpress API</title><link rel="stylesheet" href="/docs.css"></head><body><main>
<h1>Fleetpress API <small>${text(VERSION)}</small></h1>
<p>Send an API key as <code>Authorization: Bearer &lt;key&gt;</code>. Long work answers 202 with a job; poll <code>GET /api/jobs/:id?logAfter=</code> about once a second. 300 requests a minute per caller. The same in machine form: <a href="/api/openapi.json">openapi.json</a>.</p>
${body}
<h2>Errors</h2><p>Every answer that is not a success is <code>{"error": {"code", "message", "details"}}</code>.</p><table>${errorRows()}</table>
</main></body></html>`
  return { html, css: REFERENCE_CSS }
}
