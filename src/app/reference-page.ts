import { z } from 'zod'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { PROBLEM_STATUS } from '#platform/contract/problem.ts'
import type { Feature } from '#platform/feature.ts'
import { apiGroups } from './api-groups.ts'
import { accessSentence } from './openapi-operation.ts'
import { exampleAnswer, exampleCall } from './reference-example.ts'
import { REFERENCE_SCRIPT } from './reference-script.ts'
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
    endpoint.upload ? '<span class="badge">Upload</span>' : '',
    endpoint.download ? '<span class="badge">Download</span>' : '',
    endpoint.destructive ? '<span class="badge danger">Destructive</span>' : '',
    endpoint.mcp === 'no' ? '<span class="badge">Not over MCP</span>' : '',
    endpoint.mcp === 'file-tools' ? '<span class="badge">MCP file tools only</span>' : '',
    endpoint.limit
      ? `<span class="badge">${endpoint.limit.requests} per ${endpoint.limit.windowMs / 1000} s</span>`
      : '',
  ].join(' ')

const socketNotes = ({ socket }: Endpoint): string =>
  socket
    ? `<p>${text(socket.about)} At most ${socket.perCaller} open per caller, ${socket.inAll} in all. With a session, the Origin must be the panel's.</p>`
    : ''

const bytesNotes = ({ upload, download, conditional }: Endpoint): string =>
  [
    upload && upload.part === undefined
      ? `Send the bytes as the body, <code>Content-Type: application/octet-stream</code>, at most ${upload.maxBytes} bytes.`
      : '',
    upload?.part !== undefined
      ? `Send <code>multipart/form-data</code>: first the fields, then the file in the part <code>${text(upload.part)}</code>, at most ${upload.maxBytes} bytes.`
      : '',
    conditional
      ? '<code>If-Match</code> with an ETag makes the change only if it is unchanged, <code>If-None-Match: *</code> only if nothing is there; otherwise 412.'
      : '',
    download ? `Returns bytes of type <code>${text(download.type)}</code>, as an attachment.` : '',
    download?.ranges
      ? 'Has an <code>ETag</code>; <code>Range</code> with <code>If-Range</code> resumes (206), <code>If-None-Match</code> avoids sending what you already have (304).'
      : '',
  ]
    .filter(sentence => sentence !== '')
    .map(sentence => `<p>${sentence}</p>`)
    .join('')

const examples = (endpoint: Endpoint): string =>
  endpoint.socket
    ? ''
    : `<h4>Example call</h4><pre tabindex="0">${text(exampleCall(endpoint))}</pre><h4>Example response</h4><pre tabindex="0">${text(exampleAnswer(endpoint))}</pre>`

const section = (id: string, endpoint: Endpoint): string => `
<details id="${id}" data-words="${text(`${endpoint.method} ${endpoint.path} ${endpoint.summary} ${id}`)}"><summary><span class="method ${endpoint.method}">${endpoint.method}</span> <code>${text(endpoint.path)}</code> <span class="what">${text(endpoint.summary)}</span> ${badges(endpoint)}</summary>
<p>${text(accessSentence(endpoint))} Operation <code>${id}</code>.</p>${socketNotes(endpoint)}${bytesNotes(endpoint)}
${fieldRows('Path', endpoint.params, 'input')}${fieldRows('Query', endpoint.query, 'input')}${fieldRows('Body', endpoint.body, 'input')}${fieldRows('Response', endpoint.reply, 'output')}
${examples(endpoint)}</details>`

const errorRows = (): string =>
  Object.entries(PROBLEM_STATUS)
    .map(([code, status]) => `<tr><td><code>${code}</code></td><td>${status}</td></tr>`)
    .join('')

/** The API reference as one page, made from the contracts. Without scripts only the search is missing. */
export const renderReference = (features?: readonly Feature[]): { html: string; css: string; script: string } => {
  const body = apiGroups(features)
    .map(
      ({ name, contract }) =>
        `<section data-group="${text(name)}"><h2>${text(name)}</h2>${Object.entries(contract)
          .map(([id, endpoint]) => section(id, endpoint))
          .join('')}</section>`,
    )
    .join('')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Fleetpress API</title><link rel="stylesheet" href="/docs.css"><script src="/docs.js" defer></script></head><body><main>
<nav><a href="/">← Back to the panel</a></nav>
<h1>Fleetpress API <small>${text(VERSION)}</small></h1>
<p>Send an API key as <code>Authorization: Bearer &lt;key&gt;</code>. Long-running work returns 202 with a job; poll <code>GET /api/jobs/:id?logAfter=</code> about once a second. Limit: 300 requests a minute per caller. Machine-readable: <a href="/api/openapi.json">openapi.json</a>.</p>
<search hidden><input type="search" aria-label="Search endpoints" placeholder="Search endpoints" autocomplete="off" spellcheck="false"><output></output></search>
${body}
<h2>Errors</h2><p>Every error response is <code>{"error": {"code", "message", "details"}}</code>.</p><table>${errorRows()}</table>
</main></body></html>`
  return { html, css: REFERENCE_CSS, script: REFERENCE_SCRIPT }
}
