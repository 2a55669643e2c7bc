import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { nextLetter } from '../support/outbox.ts'
import { OWNER, type TestPanel } from '../support/panel.ts'
import { codeAt, STEP_MS } from '../support/totp.ts'
import { assertAccessible, assertNoOverflow, type Journey, setUpOwner, startJourney } from './browser.ts'

const ANNA = { name: 'Anna Admin', email: 'anna@example.com', password: 'a password of her own' }
const PHONE = { width: 390, height: 844 }

const linkTo = async (panel: TestPanel, email: string): Promise<string> =>
  /http\S+#token=\S+/.exec((await nextLetter(panel, email)).text)?.[0] ?? assert.fail('the letter holds no link')

const passwordOf = (place: Page | Locator) => place.getByRole('textbox', { name: /password/i })

const signIn = async (page: Page, email: string, password: string) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await passwordOf(page).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const signedIn = (page: Page) => page.getByRole('button', { name: 'Sign out' }).waitFor()

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /sign out/i }).click()
  await page.waitForURL('**/login')
}

/** In a dialog that asks for the person's own password. */
const confirmAs = async (page: Page, password: string, verb: string) => {
  const dialog = page.getByRole('dialog').last()
  await passwordOf(dialog).fill(password)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
}

/** Someone else in front of their own browser. */
const anotherBrowser = async ({ context, address }: Journey): Promise<{ page: Page; context: BrowserContext }> => {
  const other = await (context.browser() ?? assert.fail('no browser')).newContext({ baseURL: address })
  return { page: await other.newPage(), context: other }
}

/** The link of an invitation, for a panel without a mail server. */
const shownLink = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog', { name: `Send ${ANNA.name} this link` })
  const link = await dialog.getByText(/#token=/).textContent()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Copy the link' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'hidden' })
  return link ?? assert.fail('no link is shown')
}

const inviteAnna = async ({ page }: Journey) => {
  await page.goto('/settings/admins')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Invite admin' }).click()
  await assertAccessible(page)
  await page.getByLabel('Name').fill(ANNA.name)
  await page.getByLabel('Email').fill(ANNA.email)
  await confirmAs(page, OWNER.password, 'Create invitation')
  const link = await shownLink(page)
  await page.getByRole('row', { name: /Anna Admin.*Invited/ }).waitFor()
  return link
}

describe('admins', { timeout: 300_000 }, () => {
  it('a person is invited, signs in, and is locked while signed in', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      const link = await inviteAnna(journey)
      const anna = await anotherBrowser(journey)
      await anna.page.goto(link)
      await passwordOf(anna.page).fill(ANNA.password)
      await anna.page.getByRole('button', { name: 'Set password' }).click()
      await anna.page.getByRole('heading', { name: 'Your account is ready' }).waitFor()
      await signIn(anna.page, ANNA.email, ANNA.password)
      await signedIn(anna.page)

      const session = await panel.signIn(ANNA.email, ANNA.password)
      const made = await panel.askAs(session, '/api/keys', {
        method: 'POST',
        body: { name: 'Her script', access: 'full' },
      })
      const headers = { authorization: `Bearer ${(made.json() as { token: string }).token}` }
      assert.equal((await panel.ask('/api/keys', { headers })).status, 200)

      await page.reload()
      await page.getByRole('link', { name: ANNA.name }).click()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Lock', exact: true }).click()
      await page.getByText('All their browsers are signed out immediately.').waitFor()
      await page.getByRole('checkbox', { name: 'Her script' }).check()
      await assertAccessible(page)
      await confirmAs(page, 'not her password', 'Lock')
      await page.getByRole('alert').getByText('Wrong password').waitFor()
      await confirmAs(page, OWNER.password, 'Lock')
      await page.getByRole('button', { name: 'Unlock' }).waitFor()
      assert.equal((await panel.ask('/api/keys', { headers })).status, 401)

      await anna.page.goto('/jobs')
      await anna.page.waitForURL('**/login')
      await signIn(anna.page, ANNA.email, ANNA.password)
      await anna.page.getByRole('alert').getByText('Wrong email address or password').waitFor()

      await page.getByRole('button', { name: 'Unlock' }).click()
      await confirmAs(page, OWNER.password, 'Unlock')
      await page.getByRole('button', { name: 'Lock', exact: true }).waitFor()
      await signIn(anna.page, ANNA.email, ANNA.password)
      await signedIn(anna.page)
      await anna.context.close()
    } finally {
      await journey.end()
    }
  })

  it('Escape takes back one question, not the page behind it; removing asks for the name', async () => {
    const journey = await startJourney()
    try {
      const { page } = journey
      await setUpOwner(journey)
      await inviteAnna(journey)
      await page.getByRole('link', { name: ANNA.name }).click()
      await page.getByRole('button', { name: 'Resend' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: `Invite ${ANNA.name} again?` }).waitFor({ state: 'hidden' })
      await page.getByRole('dialog', { name: ANNA.name }).waitFor()
      await page.getByRole('button', { name: 'Resend' }).click()
      await confirmAs(page, OWNER.password, 'Send invitation')
      await shownLink(page)
      await page.getByRole('button', { name: 'Remove' }).click()
      const dialog = page.getByRole('dialog', { name: `Remove ${ANNA.name}?` })
      const remove = dialog.getByRole('button', { name: 'Remove', exact: true })
      assert.ok(await remove.isDisabled())
      await dialog.getByLabel(/Type Anna Admin/).fill(ANNA.name)
      await confirmAs(page, OWNER.password, 'Remove')
      await page.getByText('Anna Admin removed.').waitFor()
      assert.equal(await page.getByRole('row').count(), 2, 'the owner is alone again')
    } finally {
      await journey.end()
    }
  })
})

describe('the own account', { timeout: 300_000 }, () => {
  it('a second factor: scanned, asked for, and replaced by a recovery code', async () => {
    const journey = await startJourney()
    try {
      const { page } = journey
      await setUpOwner(journey)
      await page.goto('/settings/account')
      await assertAccessible(page)
      await page.getByRole('link', { name: 'Set up', exact: true }).click()
      await passwordOf(page).fill(OWNER.password)
      await page.getByRole('button', { name: 'Continue' }).click()
      const qr = page.getByRole('img', { name: /QR code/ })
      await qr.waitFor()
      assert.ok(
        Number(await page.evaluate('document.querySelector("main img").naturalWidth')) > 100,
        'the code is drawn',
      )
      await assertAccessible(page)
      const secret = ((await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()) ?? '').replaceAll(' ', '')
      await page.getByLabel('Code').fill(codeAt(secret, Date.now()))
      await page.getByRole('button', { name: 'Turn on' }).click()
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
      await codes.first().waitFor()
      assert.equal(await codes.count(), 10)
      const recovery = (await codes.first().textContent()) ?? ''
      await assertAccessible(page)
      assert.ok(await page.getByRole('button', { name: 'Done' }).isDisabled())
      await page.getByLabel('I have saved the codes').check()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Turn off' }).waitFor()
      await assertAccessible(page)

      await page.getByRole('link', { name: 'New recovery codes' }).click()
      await passwordOf(page).fill(OWNER.password)
      await page.getByRole('button', { name: 'Create new codes' }).click()
      await codes.first().waitFor()
      await assertAccessible(page)
      const renewed = (await codes.first().textContent()) ?? ''
      await page.getByLabel('I have saved the codes').check()
      await page.getByRole('button', { name: 'Done' }).click()

      await signOut(page)
      await signIn(page, OWNER.email, OWNER.password)
      await page.getByLabel('Code').fill(codeAt(secret, Date.now() + STEP_MS))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await signedIn(page)

      await signOut(page)
      await signIn(page, OWNER.email, OWNER.password)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(recovery)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').getByText('This code is wrong').waitFor()
      await page.getByLabel('Recovery code').fill(renewed)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await signedIn(page)
    } finally {
      await journey.end()
    }
  })

  it('password, address, name and the other browsers', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      const [one, other] = [
        await panel.signIn(OWNER.email, OWNER.password),
        await panel.signIn(OWNER.email, OWNER.password),
      ]
      await page.goto('/settings/account')
      const sessions = page.getByRole('table', { name: 'Sessions' })
      await sessions.getByRole('button', { name: 'Sign out' }).first().click()
      await assertAccessible(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('1 browser was signed out.').waitFor()
      const answers = [one, other].map(async browser => (await panel.askAs(browser, '/api/auth/session')).status)
      assert.equal((await Promise.all(answers)).filter(status => status === 401).length, 1)
      await page.getByRole('button', { name: 'Dismiss' }).first().click()
      await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Sign out 1 browser' }).click()
      await page.getByText('1 browser was signed out.').waitFor()
      for (const browser of [one, other]) assert.equal((await panel.askAs(browser, '/api/auth/session')).status, 401)

      await page.getByRole('button', { name: 'Change your password' }).click()
      await page.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password)
      await page.getByRole('textbox', { name: 'New password' }).fill('too short')
      await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Must have at least 12 characters').waitFor()
      await page.getByRole('textbox', { name: 'New password' }).fill('another fine password')
      await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Password changed.').waitFor()

      await page.getByLabel('Name').fill('Olga Renamed')
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await page.getByText('You have unsaved changes.').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Account saved.').waitFor()

      await page.getByRole('button', { name: 'Change your email address' }).click()
      await page.getByLabel('New email address').fill('olga@example.com')
      await confirmAs(page, 'another fine password', 'Send link')
      await page.goto(await linkTo(panel, 'olga@example.com'))
      await page.getByRole('button', { name: 'Confirm address' }).click()
      await page.getByRole('heading', { name: 'Address confirmed' }).waitFor()
      await page.goto('/settings/account')
      await page.getByText('You are signed in as olga@example.com.').waitFor()
      await page.setViewportSize(PHONE)
      await assertNoOverflow(page)
    } finally {
      await journey.end()
    }
  })

  it('a forgotten password', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await signOut(page)
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByLabel('Email').fill(OWNER.email)
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Send link' }).click()
      await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
      const link = await linkTo(panel, OWNER.email)
      await page.goto(link)
      await passwordOf(page).fill('another fine password')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByRole('heading', { name: 'Password changed' }).waitFor()
      await signIn(page, OWNER.email, OWNER.password)
      await page.getByRole('alert').getByText('Wrong email address or password').waitFor()
      await signIn(page, OWNER.email, 'another fine password')
      await signedIn(page)
      await signOut(page)
      await page.goto(link)
      await passwordOf(page).fill('a third fine password')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByRole('alert').getByText('was already used').waitFor()
    } finally {
      await journey.end()
    }
  })
})
