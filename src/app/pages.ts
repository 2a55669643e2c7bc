import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#platform/contract/problem.ts'
import type { Metrics } from '#platform/http/metrics.ts'
import { nothingHere } from '#platform/http/unreadable.ts'
import { openApi } from './openapi.ts'
import { renderReference } from './reference-page.ts'
import { readWebFiles, type WebFile } from './web-files.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const WEB_DIR = join(ROOT, 'dist', 'web')

/** Pages of the browser interface; each is the same document, and the browser picks the screen from the address. */
const SCREENS = [
  '/',
  '/login',
  '/setup',
  '/forgot-password',
  '/reset-password',
  '/invitation',
  '/confirm-email',
  '/jobs',
  '/jobs/:id',
  '/sites',
  '/sites/new',
  '/sites/:slug',
  '/sites/:slug/:part',
  '/servers',
  '/servers/new',
  '/servers/:id',
  '/servers/:id/:part',
  '/settings',
  '/settings/admins',
  '/settings/keys',
  '/settings/keys/new',
  '/settings/activity',
  '/settings/account',
  '/settings/account/second-factor',
]

const open = { config: { level: 'none' } } as const
/** The same for everybody. */
const forEverybody = { config: { level: 'none', isFile: true } } as const

/** Made when somebody asks for the first time: most starts nobody does. */
const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What is beside the API: its description, metrics, and the browser interface. */
export const addPages = async (server: FastifyInstance, metrics: Metrics): Promise<void> => {
  const document = once(() => JSON.stringify(openApi()))
  const reference = once(renderReference)
  server.get('/api/openapi.json', open, async (_, reply) => reply.type('application/json').send(document()))
  server.get('/docs', open, async (_, reply) => reply.type('text/html; charset=utf-8').send(reference().html))
  server.get('/docs.css', open, async (_, reply) => reply.type('text/css; charset=utf-8').send(reference().css))
  server.get('/metrics', { config: { level: 'read-only' } }, async (_, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
  addBrowserInterface(server)
}

const addBrowserInterface = (server: FastifyInstance) => {
  const { index, assets } = readWebFiles(WEB_DIR)
  server.get<{ Params: { name: string } }>('/assets/:name', forEverybody, async (request, reply) => {
    const file = assets.get(request.params.name)
    if (!file) throw new Problem('not_found', 'There is no such file.')
    return sendFile(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  })
  for (const url of SCREENS) {
    server.get(url, forEverybody, async (request, reply) =>
      index
        ? sendFile(request, reply, index)
        : reply.type('text/plain').send('The browser interface is not built. Run ./fleetpress up.\n'),
    )
  }
  answerUnknownAddresses(server, index)
}

/** People get the page that says so, programs the error. */
const answerUnknownAddresses = (server: FastifyInstance, page: WebFile | undefined) => {
  server.setNotFoundHandler(async (request, reply) => {
    const wantsPage =
      request.method === 'GET' && !request.url.startsWith('/api/') && request.headers.accept?.includes('text/html')
    if (page && wantsPage) return sendFile(request, reply.code(404), page)
    throw nothingHere(request.url === request.originalUrl)
  })
}

const sendFile = (request: FastifyRequest, reply: FastifyReply, file: WebFile) => {
  const gzip = (request.headers['accept-encoding'] ?? '').includes('gzip')
  if (gzip) reply.header('content-encoding', 'gzip')
  return reply
    .header('vary', 'accept-encoding')
    .type(file.type)
    .send(gzip ? file.gzipped : file.plain)
}
