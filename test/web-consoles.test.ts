import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRestLine } from '#features/wordpress/web/rest-line.ts'
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

it('a REST call is typed as a method, a route and JSON', () => {
  assert.deepEqual(readRestLine(' /wp/v2/posts?per_page=5 '), { method: 'GET', route: '/wp/v2/posts?per_page=5' })
  assert.deepEqual(readRestLine('post /wp/v2/posts {"title": "a b"}'), {
    method: 'POST',
    route: '/wp/v2/posts',
    body: { title: 'a b' },
  })
  assert.deepEqual(readRestLine('DELETE /wp/v2/posts/7'), { method: 'DELETE', route: '/wp/v2/posts/7' })
  assert.throws(() => readRestLine('PUT /wp/v2/posts/7 {title}'), { code: 'validation_error', message: /must be JSON/ })
})
