import assert from 'node:assert/strict'
import { it } from 'node:test'
import { splitWords } from '#features/wordpress/web/split-words.ts'

it('a command line is split as a shell would', () => {
  assert.deepEqual(splitWords('plugin list'), ['plugin', 'list'])
  assert.deepEqual(splitWords(`  post create --title="a \\"b\\" c"  '--x y' a\\ b `), [
    'post',
    'create',
    '--title=a "b" c',
    '--x y',
    'a b',
  ])
  assert.deepEqual(splitWords('option update a ""'), ['option', 'update', 'a', ''])
  assert.deepEqual(splitWords('   '), [])
})
