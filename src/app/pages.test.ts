import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestPanel, testPanel } from '#test/support/panel.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const PROGRAM = { accept: '*/*' }

describe('an address of the browser interface', () => {
  let panel: TestPanel
  before(async () => {
    panel = await testPanel()
  })
  after(() => panel.stop())

  const answerAt = async (path: string, headers: Record<string, string>) => {
    const { status, headers: sent } = await panel.ask(path, { headers })
    return { status, type: String(sent['content-type']).split(';')[0], policy: sent['content-security-policy'] }
  }

  it('gets the same document for people, whichever feature it belongs to', async () => {
    const home = await answerAt('/', BROWSER)
    assert.equal(home.status, 200)
    assert.match(String(home.policy), /script-src 'self'/)
    const paths = ['/login', '/sites', '/sites/new', '/sites/bakery/backups', '/mail/queue', '/settings/a/b/c?ask=x']
    for (const path of paths) assert.deepEqual(await answerAt(path, BROWSER), home, path)
  })

  it('is an error for programs', async () => {
    assert.equal((await answerAt('/', PROGRAM)).status, 200)
    for (const path of ['/login', '/sites', '/sites/new', '/nothing'])
      assert.deepEqual((({ status, type }) => ({ status, type }))(await answerAt(path, PROGRAM)), {
        status: 404,
        type: 'application/json',
      })
  })

  it('is never one of the API, of files, or one that no one would write', async () => {
    const paths = [
      '/api',
      '/api/',
      '/api/nothing',
      '/assets/nothing.js',
      '/API/sites',
      '//api/sites',
      '/%61pi/sites',
      '/.env',
    ]
    for (const path of paths) {
      const { status, type } = await answerAt(path, BROWSER)
      assert.ok(status >= 400 && type === 'application/json', `${path}: ${status} ${type}`)
    }
  })
})
