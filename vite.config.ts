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
    // What pages share is one file instead of fifty small ones.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
    },
  },
})
