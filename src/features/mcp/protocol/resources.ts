import { readFile } from 'node:fs/promises'
import type { McpServer } from '@modelcontextprotocol/server'
import type { Visit } from './visit.ts'

const GLOSSARY = new URL('../../../../docs/glossary.md', import.meta.url)

/** What an app may read about the panel itself; the same for everyone. */
export const addResources = (server: McpServer, { door, actor, caller, gone }: Visit): void => {
  server.registerResource(
    'openapi',
    'fleetpress://openapi',
    { title: 'API description', description: 'OpenAPI 3.1 of every endpoint', mimeType: 'application/json' },
    async uri => {
      const { bytes } = await door.call(actor, caller, { method: 'GET', url: '/api/openapi.json', signal: gone })
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: bytes.toString('utf8') }] }
    },
  )
  server.registerResource(
    'glossary',
    'fleetpress://glossary',
    { title: 'Glossary', description: 'What the words of the panel mean', mimeType: 'text/markdown' },
    async uri => ({
      contents: [{ uri: uri.href, mimeType: 'text/markdown', text: await readFile(GLOSSARY, 'utf8') }],
    }),
  )
}
