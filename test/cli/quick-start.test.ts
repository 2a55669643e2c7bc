import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inRepository, NODE, NODE_FLAGS } from '../../src/cli/repository.ts'
import { runProgram } from './run-cli.ts'

const SOURCE = 'src/platform/db/id.ts'

const run = (script: string) => runProgram(NODE, [...NODE_FLAGS, '--input-type=module', '--eval', script])

describe('the quick start', () => {
  it('finds a module where Node finds it, however it is named, and only once', async () => {
    const names = ['#platform/db/id.ts', `./${SOURCE}`, './src/../src/platform/db/id.ts']
    const theirs = pathToFileURL(inRepository(SOURCE)).href
    const { code, stdout, stderr } = await run(
      `const found = await Promise.all(${JSON.stringify([...names, theirs])}.map(name => import(name)))
       console.log(new Set(found).size, typeof found[0].newId)`,
    )
    assert.deepEqual([code, stdout], [0, '1 function\n'], stderr)
  })

  it('names a module that does not exist', async () => {
    const { code, stderr } = await run(`await import('#platform/no-such-module.ts')`)
    assert.equal(code, 1)
    assert.match(stderr, /src\/platform\/no-such-module\.ts/)
  })
})
