import { enableCompileCache } from 'node:module'

// Half of a start is reading source; the second start does not have to.
enableCompileCache()
const { runPanel } = await import('#app/run.ts')
await runPanel(process.env)
