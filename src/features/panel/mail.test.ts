import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { changesNothing, type Invited, letterFiles, linkToken, nextLetter, readLetter } from '#test/support/outbox.ts'
import { type Answer, ENGINES, OWNER, type TestPanel, testPanel } from '#test/support/panel.ts'
import { freePort } from '#test/support/ports.ts'
import { newCertificate, type SmtpOptions, type SmtpServer, startSmtp, trust } from '#test/support/smtp.ts'
import { movableClock } from '#test/support/totp.ts'

const TO = 'ops@example.com'
const LOGIN = { user: 'panel', password: 'smtp password, "quoted" and ünusual' }
const certificate = newCertificate()

interface Delivery {
  accepted: boolean
  detail: string
}

for (const engineName of ENGINES) {
  describe(`the panel's own email on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const clock = movableClock()
    const noLogin = { user: '', password: '', fromAddress: '', fromName: 'Fleetpress' }
    const defaults = { host: '', port: 587, security: 'starttls', notifyAddress: TO, ...noLogin }
    const mailIs = (mail: object) => panel.as('full').settingsUpdate({ body: { mail: { ...defaults, ...mail } } })
    const send = (access: 'read-only' | 'manage' = 'manage'): Promise<Answer> => {
      clock.forward(61_000)
      const headers = { authorization: `Bearer ${panel.token[access]}` }
      return panel.ask('/api/settings/test-email', { method: 'POST', headers })
    }
    const sent = async (): Promise<Delivery> => {
      const answer = await send()
      assert.equal(answer.status, 200, answer.text)
      return answer.json() as Delivery
    }
    const withSmtp = async (options: SmtpOptions, work: (server: SmtpServer) => Promise<void>) => {
      const server = await startSmtp(options)
      const distrust = trust(certificate)
      try {
        await work(server)
      } finally {
        distrust()
        await server.stop()
      }
    }
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now, env: { PUBLIC_URL: 'https://panel.example.com' } })
    })
    after(() => panel.stop())

    it('takes an invitation, and the link is for no one else then; where it cannot, the inviter gets it', async () => {
      const owner = await panel.owner()
      const invite = async (email: string) => {
        clock.forward(61_000)
        const body = { email, name: 'Somebody', password: OWNER.password }
        return (await panel.askAs(owner, '/api/admins', { method: 'POST', body })).json() as Invited
      }
      await withSmtp({}, async ({ port, arrived }) => {
        await mailIs({ host: 'localhost', port, security: 'none' })
        assert.equal((await invite('ben@example.com')).link, null)
        assert.deepEqual(arrived[0]?.to, ['ben@example.com'])
        assert.match((arrived[0]?.text ?? '').replaceAll('=\r\n', ''), /https:\/\/panel\.example\.com\/invitation/)
      })
      const refused = await invite('cleo@example.com')
      assert.match(refused.link ?? '', /^https:\/\/panel\.example\.com\/invitation#token=[\w-]{43}$/)
      assert.deepEqual(letterFiles(panel), [], 'no second copy of the link lies around')
    })

    it('needs an address before a test can be sent', async () => {
      await mailIs({ notifyAddress: '' })
      const answer = await send()
      assert.equal(answer.status, 409)
      assert.match(answer.text, /address for notifications/)
    })

    it('without a server goes into a file that only root can read, in a folder only root can enter', async () => {
      await mailIs({})
      const { accepted, detail } = await sent()
      assert.equal(accepted, true)
      const [file = ''] = letterFiles(panel)
      assert.match(detail, new RegExp(`${file}.*readable by root only`))
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700)
      const letter = await nextLetter(panel, TO)
      assert.equal(letter.subject, 'Fleetpress test email')
      assert.match(letter.text, /https:\/\/panel\.example\.com/)
    })

    it('makes the folder private again when it was not', async () => {
      const outbox = join(panel.config.dataDir, 'outbox')
      mkdirSync(outbox, { recursive: true })
      chmodSync(outbox, 0o755)
      await mailIs({})
      await sent()
      assert.equal(statSync(outbox).mode & 0o777, 0o700)
      await nextLetter(panel, TO)
    })

    it('arrives at a server without encryption and login when told so', async () => {
      await withSmtp({}, async server => {
        await mailIs({ host: '127.0.0.1', port: server.port, security: 'none', fromAddress: 'panel@example.com' })
        assert.equal((await sent()).accepted, true)
        const [letter] = server.arrived
        assert.deepEqual([letter?.from, letter?.to, letter?.encrypted], ['panel@example.com', [TO], false])
        assert.match(letter?.text ?? '', /^From: Fleetpress <panel@example\.com>\r$/m)
        assert.match(letter?.text ?? '', /^Subject: Fleetpress test email\r$/m)
        assert.match(letter?.text ?? '', /This is a test email from the panel at https:\/\/panel\.example\.com\./)
      })
    })

    it('arrives encrypted and with the login that is set', async () => {
      await withSmtp({ certificate, login: LOGIN }, async server => {
        await mailIs({ host: 'localhost', port: server.port, ...LOGIN, fromName: 'Mein Panel' })
        const { accepted, detail } = await sent()
        assert.equal(accepted, true, detail)
        const [letter] = server.arrived
        assert.deepEqual([letter?.encrypted, letter?.user, letter?.to], [true, LOGIN.user, [TO]])
        assert.match(letter?.text ?? '', /^From: Mein Panel <fleetpress@localhost>\r$/m)
      })
    })

    it('arrives at a server that is encrypted from the start', async () => {
      await withSmtp({ certificate, encryptedFromStart: true }, async server => {
        await mailIs({ host: 'localhost', port: server.port, security: 'tls' })
        const { accepted, detail } = await sent()
        assert.equal(accepted, true, detail)
        assert.deepEqual([server.arrived[0]?.encrypted, server.arrived[0]?.to], [true, [TO]])
      })
    })

    it('is not handed to a server that offers no encryption although it should', async () => {
      await withSmtp({ login: LOGIN }, async server => {
        await mailIs({ host: 'localhost', port: server.port, ...LOGIN })
        const { accepted, detail } = await sent()
        assert.equal(accepted, false)
        assert.match(detail, /^localhost:\d+ didn't accept the email: /)
        assert.deepEqual(server.arrived, [])
      })
    })

    it('is not handed to a server whose certificate no one vouches for', async () => {
      const server = await startSmtp({ certificate: newCertificate(), login: LOGIN })
      try {
        await mailIs({ host: 'localhost', port: server.port, ...LOGIN })
        const { accepted, detail } = await sent()
        assert.equal(accepted, false)
        assert.match(detail, /certificate/)
        assert.deepEqual(server.arrived, [])
      } finally {
        await server.stop()
      }
    })

    it('says so when the server refuses the login, without repeating the password', async () => {
      await withSmtp({ certificate, login: LOGIN }, async server => {
        await mailIs({ host: 'localhost', port: server.port, user: LOGIN.user, password: 'a wrong password' })
        const { accepted, detail } = await sent()
        assert.equal(accepted, false)
        assert.match(detail, /Invalid username or password/)
        assert.ok(!detail.includes('a wrong password'))
      })
    })

    it('says so when no one listens', async () => {
      const port = await freePort()
      await mailIs({ host: '127.0.0.1', port, security: 'none' })
      const { accepted, detail } = await sent()
      assert.equal(accepted, false)
      assert.match(detail, new RegExp(`^127\\.0\\.0\\.1:${port} didn't accept the email: .*ECONNREFUSED`))
    })

    it('carries links through the server as through the file, with the same answer', async () => {
      await panel.owner()
      const ask = () => {
        clock.forward(61_000)
        return panel.ask('/api/auth/forgot-password', { method: 'POST', body: { email: OWNER.email } })
      }
      await mailIs({})
      const byFile = await ask()
      assert.match(await linkToken(panel, OWNER.email), /^[\w-]{43}$/)
      await withSmtp({}, async server => {
        await mailIs({ host: '127.0.0.1', port: server.port, security: 'none' })
        const bySmtp = await ask()
        for (let tries = 0; server.arrived.length === 0 && tries < 500; tries += 1)
          await new Promise(resolve => setTimeout(resolve, 10))
        const text = server.arrived[0]?.text.replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? ''
        assert.match(text, /https:\/\/panel\.example\.com\/reset-password#token=[\w-]{43}/)
        assert.deepEqual([bySmtp.status, bySmtp.text], [byFile.status, byFile.text])
      })
    })

    it('answers the same, and stays up, when the server takes no letters', async () => {
      await mailIs({ host: '127.0.0.1', port: await freePort(), security: 'none' })
      const answer = await panel.ask('/api/auth/forgot-password', { method: 'POST', body: { email: OWNER.email } })
      assert.deepEqual(answer.json(), { ok: true })
      await new Promise(resolve => setTimeout(resolve, 400))
      assert.equal((await panel.ask('/api/health')).status, 200)
    })

    it('is for Manage and up, ten times a minute', async () => {
      await mailIs({})
      await changesNothing(panel, ['setting'], async () => {
        const refused = await send('read-only')
        assert.equal(refused.status, 403)
      })
      const headers = { authorization: `Bearer ${panel.token.manage}` }
      const statuses = []
      for (let round = 0; round < 12; round += 1)
        statuses.push((await panel.ask('/api/settings/test-email', { method: 'POST', headers })).status)
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429, 429])
      assert.equal(letterFiles(panel).filter(file => readLetter(file).to === TO).length, 10)
    })
  })
}
