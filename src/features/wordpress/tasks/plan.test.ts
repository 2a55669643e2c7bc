import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import type { InventoryItem } from '../inventory/read-inventory.ts'
import type { TaskOp } from './contract.ts'
import { type Installed, planTask } from './plan.ts'

const item = (name: string, packageUrl: string): InventoryItem => ({
  file: `${name}/${name}.php`,
  name,
  title: name,
  version: '1.0',
  status: 'active',
  autoUpdate: false,
  update: { version: '1.1', package: packageUrl, requiresPhp: '', requiresWordpress: '' },
})

const op = (slug: string, action: TaskOp['action']): TaskOp => ({ kind: 'plugin', slug, action })

describe('the plan of an update', { timeout: 60_000 }, () => {
  let mirror: Mirror
  const plan = (ops: TaskOp[], plugins: InventoryItem[]) => {
    const installed: Installed = { php: '8.4', core: '7.0', coreUpdate: null, locale: 'en_US', plugins, themes: [] }
    return planTask({ api: mirror.api, downloads: mirror.downloads, retryDelayMs: 1 }, ops, installed)
  }
  before(async () => {
    mirror = await startMirror()
    serveDirectory(mirror).publish({ kind: 'plugin', slug: 'shop', version: '1.1', files: {} })
  })
  after(() => mirror.close())

  it('takes what only an author gives out last, and keeps the order of what is done to one item', async () => {
    const plugins = [item('premium', 'https://author.example/premium.zip'), item('shop', '')]
    const ops = [op('premium', 'update'), op('premium', 'deactivate'), op('shop', 'update')]
    const planned = await plan(ops, plugins)
    assert.deepEqual(
      planned.map(({ slug, action, source }) => [slug, action, source]),
      [
        ['shop', 'update', { path: '/plugin/shop.1.1.zip' }],
        ['premium', 'update', 'author'],
        ['premium', 'deactivate', null],
      ],
    )
  })

  it('goes by what the site knows when WordPress.org is down, and never sends the panel to an address of a site', async () => {
    mirror.answers.set('/plugins/update-check/1.1/', response => response.writeHead(500).end())
    const addresses = [
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      'https://downloads.wordpress.org.evil.example/plugin/shop.1.1.zip',
      'https://downloads.wordpress.org/plugin/../../secret.zip',
      'https://downloads.wordpress.org@evil.example/plugin/shop.1.1.zip',
    ]
    for (const address of addresses) {
      const [planned] = await plan([op('shop', 'update')], [item('shop', address)])
      assert.equal(planned?.source, 'author', address)
    }
    const [known] = await plan(
      [op('shop', 'update')],
      [item('shop', 'https://downloads.wordpress.org/plugin/shop.1.1.zip')],
    )
    assert.deepEqual(known?.source, { path: '/plugin/shop.1.1.zip' })
    const [free] = await plan([op('shop', 'update')], [item('shop', '')])
    assert.match(free?.skip ?? '', /can't be downloaded/)
  })
})
