import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { InvalidListener, listenerText } from './listener.ts'

const socketOf = (name: string) => `/run/sites/${name}/mysqld.sock`

describe('a listener of HAProxy', () => {
  it('is a name and a socket', async () => {
    const golden = await readFile(new URL('golden/listener.cfg', import.meta.url), 'utf8')
    assert.equal(listenerText({ name: 'my-shop', socketPath: socketOf('my-shop') }), golden)
  })

  it('takes no name and no path that says more than that', () => {
    const hostile = PAYLOADS.filter(text => !/^[a-z0-9-]+$/.test(text))
    for (const text of [...hostile, 'a\nbind :80', '-a', 'A', 'x'.repeat(64)])
      assert.throws(() => listenerText({ name: text, socketPath: '/run/a' }), InvalidListener, text)
    const paths = hostile.filter(text => !/^[a-z/]+$/.test(text))
    for (const path of [...paths, '/run/a b', '/run/../x', 'run', '/', `/${'x'.repeat(96)}`, '/run/a mode 777'])
      assert.throws(() => listenerText({ name: 'a', socketPath: path }), InvalidListener, path)
  })
})
