import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Nothing is painted before the script has set the chosen theme, so a dark panel never flashes white. */
const paintAfterTheme: Plugin = {
  name: 'paint-after-theme',
  transformIndexHtml: {
    order: 'post',
    handler: html => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
}

const isDoor = (id: string) => /\/features\/[^/]+\/web\/index\.ts$/.test(id)
const featureOf = (id: string) => /\/src\/features\/([^/]+)\//.exec(id)?.[1]

/** Apart from the chunk of each page: what is there from the start, what pages of all features share, and what those of one do. */
const CHUNKS = [
  { name: 'start', tags: ['$initial' as const], priority: 3 },
  { name: 'kit', test: (id: string) => featureOf(id) === undefined, minShareCount: 2, priority: 2 },
  { name: (id: string) => featureOf(id) ?? null, minShareCount: 2, priority: 1 },
]

/** The policy of the panel allows no inline script or style and no address but its own: all output is files. */
export default defineConfig({
  root: join(import.meta.dirname, 'src/web'),
  plugins: [react(), paintAfterTheme],
  build: {
    outDir: join(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // An index only re-exports: importing one thing from it does not load the others.
      treeshake: { moduleSideEffects: id => !isDoor(id) },
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
})
