import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { WordpressOrgUnreachable } from './errors.ts'
import { searchPlugins } from './search.ts'

const PATH = '/plugins/info/1.2/'

describe('searching WordPress.org', { timeout: 60_000 }, () => {
  let mirror: Mirror
  const search = (q: string, page = 1) =>
    searchPlugins({ api: mirror.api, downloads: mirror.downloads, retryDelayMs: 1 }, { q, page, perPage: 2 })
  before(async () => {
    mirror = await startMirror()
  })
  after(() => mirror.close())

  it('gives out one page, and how many there are in all', async () => {
    const directory = serveDirectory(mirror)
    for (const slug of ['shop', 'shop-two', 'shop-three', 'forms'])
      directory.publish({ kind: 'plugin', slug, version: '1.0', files: {} })
    const slugsOf = async (page: number) => {
      const { plugins, total } = await search('shop', page)
      return [plugins.map(({ slug }) => slug), total]
    }
    assert.deepEqual(await slugsOf(1), [['shop', 'shop-two'], 3])
    assert.deepEqual(await slugsOf(2), [['shop-three'], 3])
    assert.deepEqual(await slugsOf(3), [[], 3])
    assert.deepEqual(await search('nothing'), { plugins: [], total: 0 })
  })

  it('reads what is written for HTML as plain text, and takes nothing that a screen would act on', async () => {
    const odd = { slug: 'odd', name: 'Q &amp; A &#8211; &#x1F600; &lt;b&gt; &nope;', version: false }
    const found = {
      ...odd,
      short_description: 'a\u202eb\u001b[31m',
      active_installs: -5,
      requires: null,
      requires_php: [],
    }
    const outside = { ...found, slug: '../shop' }
    mirror.answers.set(PATH, JSON.stringify({ info: { results: 'many' }, plugins: [found, outside] }))
    assert.deepEqual(await search('odd'), {
      plugins: [
        {
          slug: 'odd',
          name: 'Q & A – \u{1f600} <b> &nope;',
          version: '',
          description: 'a\ufffdb\ufffd[31m',
          activeInstalls: 0,
          requiresWordpress: '',
          requiresPhp: '',
        },
      ],
      total: 0,
    })
  })

  it('says when the service gives no usable answer', async () => {
    for (const answer of ['not json', '{}', JSON.stringify({ info: { results: 1 }, plugins: [{}] })]) {
      mirror.answers.set(PATH, answer)
      await assert.rejects(search('shop'), WordpressOrgUnreachable, answer)
    }
  })
})
