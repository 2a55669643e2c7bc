import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { newReleaseKey, signFeed } from '#features/system/index.ts'
import { losesData, stopsSoon } from '../support/broken-release.ts'
import { FIRST, type PanelInstall, panelInstall } from '../support/panel-install.ts'
import { assertAccessible, becomeOwner, openBrowser } from './browser.ts'

const PATIENT = { timeout: 240_000 }
const FEED = '/releases.json'
const SIGNATURE = `${FEED}.sig`
const MOVED = { location: 'http://localhost:9/elsewhere' }

const flipped = (bytes: Buffer): Buffer => {
  const other = Buffer.from(bytes)
  const middle = other.length >> 1
  other[middle] = (other[middle] ?? 0) ^ 1
  return other
}

describe('updating the panel', { timeout: 900_000 }, () => {
  let install: PanelInstall
  before(async () => {
    install = await panelInstall()
    await install.release('0.3.0')
  })
  after(() => install?.[Symbol.asyncDispose]())

  const archive = (version: string) => `/fleetpress-${version}.tar.gz`
  const published = (path: string) => readFileSync(join(install.feed, path))

  it('killed while it watches the new version goes back to the old one by itself', async () => {
    await install.begin('0.3.0')
    await install.reached('watch')
    const refused = await install.ask('POST', '/api/system/update/check')
    assert.equal(refused.status, 503)
    assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'maintenance')
    assert.equal(install.versionInUse(), '0.3.0')
    install.kill({ alone: true })
    assert.equal((await install.ended('0.3.0')).status, 'rolled_back')
    assert.equal(install.versionInUse(), FIRST)
  })

  it('a person updates it by clicks, watches each step, and reads what is new', async () => {
    const { page, end } = await openBrowser(install.origin)
    try {
      await becomeOwner(page, await install.setupLink())
      await page.goto('/settings/about')
      await page.getByRole('button', { name: 'Check for updates' }).click()
      await page.getByText('Version 0.3.0 is available.').waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Update to 0.3.0' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Update the panel' }).click()
      await page.getByRole('heading', { name: 'Updating to 0.3.0' }).waitFor()
      await assertAccessible(page)
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Watching it for a minute' })
        .getByText('Running')
        .waitFor(PATIENT)
      await page.getByRole('heading', { name: 'Updated to 0.3.0' }).waitFor(PATIENT)
      await page.getByRole('heading', { name: 'What is new in 0.3.0' }).waitFor()
      await page.getByText('More of what you like.').first().waitFor()
      await page.getByRole('button', { name: 'Reload to use 0.3.0' }).click()
      await page.getByText('Version 0.3.0 is the newest that is known.').waitFor()
      await assertAccessible(page)
    } finally {
      await end()
    }
    assert.equal(install.versionInUse(), '0.3.0')
    const found = await install.shown()
    assert.deepEqual([found?.current, found?.update?.status], ['0.3.0', 'succeeded'])
    assert.ok(existsSync(join(install.dataDir, '..', 'install', 'releases', FIRST)), 'the version before is kept')
    const jobs = await install.ask('GET', '/api/jobs?type=system.postUpdate')
    assert.equal(((await jobs.json()) as { total: number }).total, 1)
  })

  it('to a version that loses data and does not stay up brings the old one back with its data', async () => {
    await install.release('0.4.0', root => {
      losesData(root)
      stopsSoon(root)
    })
    await install.begin('0.4.0')
    const { status, error } = await install.ended('0.4.0')
    assert.equal(status, 'rolled_back')
    assert.match(error ?? '', /stopped answering|doesn't start/)
    assert.equal((await install.shown())?.current, '0.3.0')
    assert.equal(install.versionInUse(), '0.3.0')
    assert.match(await (await install.ask('GET', '/api/settings')).text(), /releases\.json/)
    assert.equal((await install.ask('POST', '/api/system/update', { version: '0.3.0' })).status, 409, 'only ever newer')
  })

  it('refuses a feed that is changed, signed by another key, redirected or older than one it has seen', async () => {
    const older = { feed: published(FEED), signature: published(SIGNATURE) }
    await install.release('0.5.0')
    assert.equal((await install.ask('POST', '/api/system/update/check')).status, 200)
    const newest = published(FEED)
    const foreign = Buffer.from(signFeed(newest, newReleaseKey().privateKeyPem))
    const cases: [what: string, feed: Buffer | null, signature: Buffer, said: RegExp][] = [
      ['changed', flipped(newest), published(SIGNATURE), /signature is not from a trusted key/],
      ['another key', newest, foreign, /signature is not from a trusted key/],
      ['redirected', null, published(SIGNATURE), /couldn't be reached/],
      ['replayed', older.feed, older.signature, /older than one that was read before/],
    ]
    for (const [what, feed, signature, said] of cases) {
      install.instead.set(FEED, answer => void (feed ? answer.end(feed) : answer.writeHead(302, MOVED).end()))
      install.instead.set(SIGNATURE, answer => void answer.end(signature))
      const refused = await install.ask('POST', '/api/system/update', {})
      assert.equal(refused.status, 502, what)
      assert.match(await refused.text(), said)
      const byHand = await install.run('update', '--yes')
      assert.notEqual(byHand.code, 0, what)
      assert.match(byHand.stderr, said)
    }
    install.instead.clear()
    assert.equal((await install.shown())?.current, '0.3.0')
  })

  it('refuses an archive that is changed, cut short or redirected, before anything is touched', async () => {
    const whole = published(archive('0.5.0'))
    const cases: [what: string, answer: Parameters<PanelInstall['instead']['set']>[1], said: RegExp][] = [
      ['changed', answer => void answer.end(flipped(whole)), /damaged/],
      ['cut short', answer => void answer.end(whole.subarray(0, whole.length >> 1)), /damaged/],
      ['redirected', answer => void answer.writeHead(302, MOVED).end(), /can't be reached/],
    ]
    for (const [what, answer, said] of cases) {
      install.instead.set(archive('0.5.0'), answer)
      await install.begin('0.5.0')
      const { status, error } = await install.ended('0.5.0')
      assert.equal(status, 'failed', what)
      assert.match(error ?? '', said, what)
      assert.equal(existsSync(join(install.dataDir, '..', 'install', 'releases', '0.5.0')), false, what)
    }
    assert.equal((await install.shown())?.current, '0.3.0')
  })
})
