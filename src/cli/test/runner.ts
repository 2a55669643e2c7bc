import { createWriteStream } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import count from './count.ts'

/** The process that runs test files in the order given; `node --test` would sort them by name. */
const [setup = '', concurrency = '1', specFile = '', ...files] = process.argv.slice(2)

const events = run({
  files,
  concurrency: Number(concurrency),
  execArgv: ['--import', fileURLToPath(new URL('deadline.ts', import.meta.url))],
  ...(setup === '' ? {} : { globalSetupPath: setup }),
})
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
events.compose(new spec()).pipe(createWriteStream(specFile))
events.compose(count).pipe(process.stdout)
