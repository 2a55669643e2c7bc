import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { run } from '#test/fleet/run.ts'
import { until } from '#test/fleet/until.ts'
import { FtpClients } from '#test/support/ftp-clients.ts'
import { SOAK } from '#test/support/soak.ts'
import { dayOf } from '#web/kit/days.ts'
import { assertAccessible } from './browser.ts'
import { HTML, LIMIT_MS, PATIENT, type SiteJourney, SLUG, startSiteJourney } from './site-journey.ts'

const DROPPED_FILES = SOAK ? 500 : 45

/** One pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** As the field of a date has it; today, if it is one with some time left. */
const comingFriday = (): string => {
  const day = new Date(Date.now() + 30 * 60_000)
  while (day.getDay() !== 5) day.setDate(day.getDate() + 1)
  return dayOf(String(day.getTime()))
}

describe('the files of a site, and who reaches them', { timeout: 20 * 60_000 }, () => {
  let journey: SiteJourney
  let page: Page

  before(async () => {
    journey = await startSiteJourney()
    page = journey.page
  })
  after(() => journey?.end())

  const shell = (script: string) => journey.shell(script)
  const fits = () => journey.fits()
  const linesOf = (field: Locator) => field.locator('.cm-line').allTextContents()
  const write = async (field: Locator, text: string) => {
    await field.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
    const isWritten = async () => (await linesOf(field)).join('\n') === text
    await until('Writing in the editor', isWritten, LIMIT_MS)
  }
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()

  it('are edited: a mistake in PHP is refused where it is, and so is a file that changed in the meantime', async () => {
    await page.goto(`/sites/${SLUG}/files`)
    const table = page.getByRole('table', { name: 'Files' })
    await table.getByRole('link', { name: 'wp-content' }).waitFor(PATIENT)
    await fits()
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('code')
    await page.getByRole('button', { name: 'Create folder' }).click()
    await table.getByRole('link', { name: 'code', exact: true }).click()
    await page.getByRole('navigation', { name: 'Folder tree' }).getByRole('link', { name: 'code' }).waitFor(PATIENT)
    await page.getByText('This folder is empty').waitFor(PATIENT)
    await page.keyboard.press('Backspace')
    const isBack = async () => (await page.evaluate('document.activeElement.textContent')) === 'code'
    await until('Going to the parent by a key', isBack, LIMIT_MS)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByText('This folder is empty').waitFor(PATIENT)
    await page.getByRole('button', { name: 'New file' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('theme.php')
    await page.getByRole('button', { name: 'Create file' }).click()
    const field = page.getByRole('textbox', { name: 'theme.php' })
    await write(field, '<?php\necho 1;\necho (;\n')
    await save()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.locator('.cm-mistake').textContent(), 'echo (;')
    assert.match((await page.locator('.cm-mistake + .cm-explanation').textContent()) ?? '', /on line 3/)
    await fits()
    assert.equal(await shell(`cat ${HTML}/code/theme.php`), '')
    await write(field, '<?php\necho 1;\n')
    await save()
    await page.getByText('theme.php saved.').waitFor()
    assert.equal(await shell(`cat ${HTML}/code/theme.php`), '<?php\necho 1;\n')
    await shell(`echo '<?php // another' > ${HTML}/code/theme.php`)
    await write(field, '<?php\necho 2;\n')
    await save()
    await page.getByText('The file was changed on the server').waitFor()
    await page.getByRole('button', { name: 'Discard and load it again' }).click()
    const isLoaded = async () => (await linesOf(field)).join('\n') === '<?php // another\n'
    await until('Loading the file again', isLoaded, LIMIT_MS)
  })

  it('are uploaded, found, renamed, packed and deleted', async () => {
    await page.getByRole('link', { name: 'Close' }).click()
    const table = page.getByRole('table', { name: 'Files' })
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(9_000_000, 1) }
    await page.getByLabel('Files to upload').setInputFiles(file)
    await table.getByText('photo.jpg').waitFor(PATIENT)
    assert.equal(await shell(`stat -c %s ${HTML}/code/photo.jpg`), '9000000\n')
    await page.getByLabel('Files to upload').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: DOT })
    await table.getByRole('link', { name: 'dot.png' }).click(PATIENT)
    await page.getByText('1 × 1 pixels, PNG').waitFor(PATIENT)
    await page.getByRole('img', { name: 'dot.png' }).waitFor()
    const isDrawn = async () => (await page.evaluate('document.querySelector("figure img").naturalWidth')) === 1
    await until('Drawing the image', isDrawn, LIMIT_MS)
    await fits()
    await page.getByRole('link', { name: 'Close' }).click()
    await page.getByRole('textbox', { name: 'Search files' }).fill('another')
    await page.getByRole('combobox', { name: 'Search in' }).selectOption('content')
    await page.getByRole('checkbox', { name: 'Match case' }).check()
    await page.getByRole('textbox', { name: 'Only files named' }).fill('*.php')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('link', { name: 'code/theme.php:1' }).waitFor()
    await page.getByRole('button', { name: 'Close search' }).click()
    await shell(`chown -R 0:0 ${HTML}/code`)
    await page.getByRole('button', { name: 'Fix ownership', exact: true }).click()
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Fix ownership', exact: true }).click()
    await page.getByText('Everything in this folder belongs to the site again.').waitFor(PATIENT)
    assert.equal(await shell(`find ${HTML}/code ! -user 70000`), '')
    await page.getByRole('checkbox', { name: /photo\.jpg/ }).check()
    await fits()
    await page.getByRole('button', { name: 'Rename or move', exact: true }).click()
    await page.getByRole('textbox', { name: 'New path' }).fill('code/picture.jpg')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await table.getByText('picture.jpg').waitFor()
    await page.getByRole('checkbox', { name: /theme\.php/ }).check()
    await page.getByRole('button', { name: 'Compress', exact: true }).click()
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Compress', exact: true }).click()
    await table.getByText('theme.php.zip').waitFor(PATIENT)
    await page.getByRole('checkbox', { name: 'Select picture.jpg' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await table.getByText('picture.jpg').waitFor({ state: 'detached' })
    assert.equal(await shell(`ls ${HTML}/code`), 'dot.png\ntheme.php\ntheme.php.zip\n')
  })

  it('are dropped as a whole folder', async () => {
    const dropped = mkdtempSync(join(tmpdir(), 'fleetpress-dropped-'))
    for (let at = 0; at < DROPPED_FILES; at += 1) {
      const folder = join(dropped, 'shop', `part ${at % 3}`, 'images')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `photo ${at}.txt`), `photo ${at}`)
    }
    const place = await page.getByRole('region', { name: 'Content of the folder' }).boundingBox()
    assert.ok(place)
    const tools = await journey.context.newCDPSession(page)
    const data = { items: [], files: [join(dropped, 'shop')], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await tools.send('Input.dispatchDragEvent', { type, x: place.x + 40, y: place.y + 40, data })
    await page.getByText('Finished', { exact: true }).waitFor(PATIENT)
    await page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'shop', exact: true }).waitFor(PATIENT)
    await fits()
    const sums = 'find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum'
    const sent = await run('bash', ['-c', `cd ${dropped}/shop && ${sums}`])
    assert.equal(sent.split('\n').length, DROPPED_FILES)
    assert.equal((await shell(`cd ${HTML}/code/shop && ${sums}`)).trim(), sent)
    rmSync(dropped, { recursive: true })
    await page.getByRole('button', { name: 'Clear' }).click()
  })

  it('are given to a freelancer by SFTP, until Friday and in one folder', async () => {
    await page.goto(`/sites/${SLUG}/ftp`)
    await page.getByRole('button', { name: 'Create login' }).first().click()
    await page.getByRole('textbox', { name: 'Username' }).fill('freelancer')
    await page.getByRole('textbox', { name: 'Folder (optional)' }).fill('code')
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('At the end of a day…')
    await page.getByLabel('Last day').fill(comingFriday())
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Create login' }).click()
    const shown = page.getByText('Password', { exact: true }).locator('xpath=following-sibling::code')
    await shown.waitFor(PATIENT)
    const password = (await shown.textContent()) ?? ''
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/^End of Friday, /).waitFor()
    await page.getByText('Running', { exact: true }).nth(1).waitFor(PATIENT)
    await page.getByText('ED25519 key').waitFor(PATIENT)
    await page.getByRole('button', { name: 'sftp', exact: true }).click()
    await page.getByText(`sftp -P 2222 freelancer@${journey.server.address}`).waitFor()
    await fits()
    using clients = new FtpClients()
    const login = { address: journey.server.address, username: 'freelancer', password }
    const { exitCode, output } = await clients.sftp(login, 'ls -1')
    assert.deepEqual([exitCode, output.includes('theme.php'), output.includes('wp-config')], [0, true, false])
    await page.getByRole('link', { name: 'freelancer' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete login' }).click()
    await page.getByText('No FTP logins yet').waitFor(PATIENT)
    assert.doesNotMatch(await shell('docker ps -a --format "{{.Names}}"'), /fleetpress-ftp/)
  })
})
