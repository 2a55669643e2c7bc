import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hiding } from './run-in-site.ts'

it('what a command read is hidden in what it says, in each form that WP-CLI repeats it in', () => {
  const hide = hiding(`se'cret\nsecond line\ny\n`)
  assert.equal(hide(`--pass='se'\\''cret' se'cret y`), `--pass='[stdin]' [stdin] y`)
  assert.equal(hide('a second line\nyes'), 'a [stdin]\nyes')
  assert.equal(hiding('')('as it is'), 'as it is')
  assert.equal(hiding('long\nlonger')('longer'), '[stdin]', 'the longest first')
})
