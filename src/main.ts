import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Half of a start is reading source; the second start does not have to. In our own folder: the default is everyone's.
enableCompileCache(join(import.meta.dirname, '..', '.cache', 'node'))
const { runPanel } = await import('#app/run.ts')
await runPanel(process.env)
