import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { openApp } from '../support/mcp.ts'
import { OWNER, type TestPanel } from '../support/panel.ts'
import { assertAccessible, setUpOwner, startJourney } from './browser.ts'

/** Nothing listens there: the browser stays on the address, which has the answer in it. */
const REDIRECT = 'http://127.0.0.1:9/callback'

const register = async (panel: TestPanel): Promise<string> => {
  const body = { client_name: 'Claude', redirect_uris: [REDIRECT] }
  return ((await panel.ask('/oauth/register', { method: 'POST', body })).json() as { client_id: string }).client_id
}

/** Where the browser was sent to. */
const answerAt = (page: Page): Promise<URL> =>
  new Promise(resolve => {
    page.on('request', request => {
      if (request.url().startsWith(REDIRECT)) resolve(new URL(request.url()))
    })
  })

/** What the app does: opens the consent page, and comes for its token with what it gets back. */
const connect = async (panel: TestPanel, page: Page, agree: () => Promise<void>): Promise<string> => {
  const clientId = await register(panel)
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'its state',
  })
  await page.goto(`/oauth/authorize?${asked.toString()}`)
  const answered = answerAt(page)
  await agree()
  const { searchParams } = await answered
  assert.equal(searchParams.get('state'), 'its state')
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await panel.ask('/oauth/token', { method: 'POST', headers, raw: form.toString() })
  return (answer.json() as { access_token: string }).access_token
}

describe('AI apps', { timeout: 300_000 }, () => {
  it('a person connects one on the consent page, sees what it does, confirms a dangerous call and revokes it', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      const token = await connect(panel, page, async () => {
        await page.getByText('An app named Claude wants to use this panel').waitFor()
        await assertAccessible(page)
        await page.getByRole('radio', { name: 'Full' }).check()
        await page.getByLabel('Allow dangerous calls').check()
        await page.getByRole('textbox', { name: 'Your password' }).fill(OWNER.password)
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
      })
      const app = await openApp(panel, token, { era: 'legacy' })
      await app.call('overview')

      await page.goto('/settings/ai')
      await page.getByRole('link', { name: 'Claude' }).click()
      await page.getByRole('row', { name: /overview.*200 OK/ }).waitFor()
      await assertAccessible(page)

      const args = { endpoint: 'settingsUpdate', body: { snapshots: { keep: 21 } } }
      const asked = await app.call('dangerous_call', args)
      await page.goto(/http\S+\/confirm\/\S+/.exec(asked.text)?.[0] ?? assert.fail(asked.text))
      await page.getByText('PUT /api/settings').waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Allow once' }).click()
      const code = await page.getByText(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/).textContent()
      assert.equal((await app.call('dangerous_call', { ...args, code })).isError, false)

      await page.goto('/settings/ai')
      await page.getByRole('link', { name: 'Claude' }).click()
      await page.getByRole('button', { name: 'Revoke', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Revoke Claude?' })
      await dialog.getByRole('textbox').fill('Claude')
      await dialog.getByRole('button', { name: 'Revoke connection' }).click()
      await page.getByText('No AI connections yet').waitFor()
      await assert.rejects(app.call('overview'))
    } finally {
      await journey.end()
    }
  })
})
