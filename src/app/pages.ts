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

/**
 * Where pages of the browser interface are: each is the same document, and the browser picks the screen from the address or
 * says that there is none. Nothing of the API is here, so that asking for it is counted and checked wherever it leads.
 */
const PAGE = '/:page(^(?!api$)[a-z][a-z-]*$)'

const open = { config: { level: 'none' } } as const
/** The description of the API is also for AI apps. */
const openForApps = { config: { level: 'none', isForConnections: true } } as const
/** The same for everyone. */
const forEverybody = { config: { level: 'none', isFile: true } } as const

/** Made when someone asks for the first time: most starts no one does. */
const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What is next to the API: its description, metrics, and the browser interface. */
export const addPages = async (server: FastifyInstance, metrics: Metrics): Promise<void> => {
  const document = once(() => JSON.stringify(openApi()))
  const reference = once(renderReference)
  server.get('/api/openapi.json', openForApps, async (_, reply) => reply.type('application/json').send(document()))
  server.get('/docs', open, async (_, reply) => reply.type('text/html; charset=utf-8').send(reference().html))
  server.get('/docs.css', open, async (_, reply) => reply.type('text/css; charset=utf-8').send(reference().css))
  server.get('/docs.js', open, async (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(reference().script),
  )
  server.get('/metrics', { config: { level: 'read-only' } }, async (_, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
  addBrowserInterface(server)
}

const addBrowserInterface = (server: FastifyInstance) => {
  const { index, assets } = readWebFiles(WEB_DIR)
  server.get<{ Params: { name: string } }>('/assets/:name', forEverybody, async (request, reply) => {
    const file = assets.get(request.params.name)
    if (!file) throw new Problem('not_found', 'File not found.')
    return sendFile(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file)
  })
  const sendPage = (request: FastifyRequest, reply: FastifyReply) =>
    index
      ? sendFile(request, reply, index)
      : reply.type('text/plain').send('The browser interface is not built. Run ./fleetpress up.\n')
  server.get('/', forEverybody, async (request, reply) => sendPage(request, reply))
  for (const url of [PAGE, `${PAGE}/*`]) {
    server.get(url, forEverybody, async (request, reply) => {
      if (!wantsPage(request)) throw nothingHere(true)
      return sendPage(request, reply)
    })
  }
  server.setNotFoundHandler(async request => {
    throw nothingHere(request.url === request.originalUrl)
  })
}

/** People get a page, programs the error. */
const wantsPage = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') ?? false

const sendFile = (request: FastifyRequest, reply: FastifyReply, file: WebFile) => {
  const gzip = (request.headers['accept-encoding'] ?? '').includes('gzip')
  if (gzip) reply.header('content-encoding', 'gzip')
  return reply
    .header('vary', 'accept-encoding')
    .type(file.type)
    .send(gzip ? file.gzipped : file.plain)
}
