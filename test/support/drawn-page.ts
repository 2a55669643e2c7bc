import { join } from 'node:path'
import { Writable } from 'node:stream'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, type Context, createElement as element } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { createServer } from 'vite'
import type { Registry } from '../../src/web/client/registry.ts'
import { plant } from './web-build.ts'

interface Modules {
  AppRoutes: ComponentType
  registry: Registry
  RegistryContext: Context<Registry>
}

/** Draws pages of the browser interface without a browser, with features planted: what is in them, not how they look. */
export const startDrawing = async (planted: readonly string[]) => {
  // Asked for while modules load.
  Object.assign(globalThis, { document: { title: 'Fleetpress' } })
  const server = await createServer({
    configFile: join(import.meta.dirname, '..', '..', 'vite.config.ts'),
    plugins: [plant(planted, false)],
    server: { middlewareMode: true, hmr: false, ws: false },
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
    logLevel: 'error',
  })
  const loaded = await Promise.all(
    ['/app/routes.tsx', '/app/screens.ts', '/client/registry.ts'].map(path => server.ssrLoadModule(path)),
  )
  const { AppRoutes, registry, RegistryContext } = Object.assign({}, ...loaded) as Modules
  const parts = await Promise.all(registry.home.map(part => part.load()))
  const draw = (address: string, known: readonly (readonly [readonly unknown[], unknown])[]): Promise<string> => {
    const queryClient = new QueryClient()
    for (const [key, data] of [...known, [['home'], parts] as const]) queryClient.setQueryData(key, data)
    const page = element(RegistryContext, { value: registry }, element(AppRoutes))
    const routed = element(StaticRouter, { location: address }, page)
    const asked = element(QueryClientProvider, { client: queryClient }, routed)
    return new Promise((resolve, reject) => {
      let html = ''
      const drawing = renderToPipeableStream(element(MantineProvider, { withCssVariables: false }, asked), {
        onError: reject,
        onAllReady: () =>
          void drawing.pipe(
            new Writable({
              write: (chunk, _, done) => {
                html += String(chunk)
                done()
              },
              final: done => {
                resolve(html)
                done()
              },
            }),
          ),
      })
    })
  }
  return { draw, stop: () => server.close() }
}
