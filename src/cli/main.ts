import { enableCompileCache } from 'node:module'
import { inRepository } from './repository.ts'

// Kept in the repository: the default folder lies in /tmp, where another user could plant code for root.
enableCompileCache(inRepository('.cache', 'node'))

const { runCli } = await import('./program.ts')
process.exitCode = await runCli(process.argv.slice(2))
