import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { OUTBOX } from '#features/panel/mail.ts'
import { OWNER } from '../support/panel.ts'
import { assertAccessible, type Journey, setUpOwner, startJourney } from './browser.ts'

/** The letter is written after the answer, so that its time tells no one anything. */
const linkInOutbox = async (journey: Journey): Promise<string> => {
  const folder = join(journey.panel.config.dataDir, OUTBOX)
  for (let tries = 0; tries < 100; tries += 1) {
    const newest = existsSync(folder)
      ? readdirSync(folder)
          .filter(name => name.endsWith('.txt'))
          .toSorted()
          .at(-1)
      : undefined
    const link = newest && /http\S+#token=\S+/.exec(readFileSync(join(folder, newest), 'utf8'))?.[0]
    if (link) return link
    await sleep(50)
  }
  return assert.fail('no letter came')
}

const signIn = async ({ page }: Journey, password: string) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByRole('textbox', { name: /password/i }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('first run', { timeout: 300_000 }, () => {
  it('from the printed link to being the owner, out and in again', async () => {
    const journey = await startJourney()
    try {
      const { page, context } = journey
      await page.goto('/')
      await page.waitForURL('**/login')
      await assertAccessible(page)
      await signIn(journey, 'whatever it is')
      await page.getByRole('alert').getByText('no owner yet').waitFor()
      await setUpOwner(journey)
      assert.ok(!page.url().includes('token'), 'the token is gone from the address bar')
      await page.getByRole('link', { name: 'Set up a server' }).waitFor()
      await assertAccessible(page)
      const cookie = (await context.cookies())[0]
      assert.deepEqual(
        [cookie?.name, cookie?.secure, cookie?.httpOnly, cookie?.sameSite],
        ['__Host-fleetpress', true, true, 'Strict'],
      )
      await page.reload()
      await page.getByText(OWNER.name).first().waitFor()
      await page.getByRole('button', { name: /sign out/i }).click()
      await page.waitForURL('**/login')
      await signIn(journey, 'wrong password')
      await page.getByRole('alert').getByText('Wrong email address or password').waitFor()
      await signIn(journey, OWNER.password)
      await page.getByText(OWNER.name).first().waitFor()
    } finally {
      await journey.end()
    }
  })

  it('a forgotten password, and a second factor', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await page.getByRole('button', { name: /sign out/i }).click()
      await page.goto('/forgot-password')
      await assertAccessible(page)
      await page.getByLabel('Email').fill(OWNER.email)
      await page.getByRole('button', { name: /send|link/i }).click()
      await page.goto(await linkInOutbox(journey))
      await page.getByRole('textbox', { name: /password/i }).fill('another fine password')
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByRole('heading', { name: 'Password changed' }).waitFor()
      const secret = await enrol(panel, 'another fine password')
      await signIn(journey, 'another fine password')
      await page
        .getByLabel(/code/i)
        .first()
        .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 }))
      await assertAccessible(page)
      await page.getByRole('button', { name: /sign in|continue/i }).click()
      await page.getByText(OWNER.name).first().waitFor()
    } finally {
      await journey.end()
    }
  })
})

/** Through the API: its screen comes with the full interface. */
const enrol = async (panel: Journey['panel'], password: string): Promise<string> => {
  const browser = await panel.signIn(OWNER.email, password)
  const begun = (await panel.askAs(browser, '/api/account/totp', { method: 'POST', body: { password } })).json() as {
    secret: string
  }
  const code = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate()
  const enabled = await panel.askAs(browser, '/api/account/totp', { method: 'PUT', body: { code } })
  assert.equal(enabled.status, 200)
  return begun.secret
}
