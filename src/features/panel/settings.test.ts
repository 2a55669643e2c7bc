import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { features } from '#app/features.ts'
import { WORDFENCE_FEED } from '#drivers/wordfence/feed.ts'
import { changesNothing, dumpTables, filesIn } from '#test/support/outbox.ts'
import { type Answer, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { mailSettings } from './settings.ts'

const SECRET = 'smtp-Password-of-this-test'

for (const engineName of ENGINES) {
  describe(`settings on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const put = (body: unknown, access: 'read-only' | 'manage' | 'full' = 'full'): Promise<Answer> =>
      panel.ask('/api/settings', {
        method: 'PUT',
        body,
        headers: { authorization: `Bearer ${panel.token[access]}` },
      })
    const values = async () => (await panel.as('read-only').settingsGet()).values
    const password = async () => (await panel.world.scope({ kind: 'anonymous' }).settings.read(mailSettings)).password
    before(async () => {
      panel = await testPanel({ engineName })
    })
    after(() => panel.stop())

    it('have their defaults, and each field says what it changes', async () => {
      const answer = await panel.as('read-only').settingsGet()
      const given = answer.values
      assert.deepEqual(await values(), {
        activity: { keepRequestsForDays: 30 },
        mail: {
          host: '',
          port: 587,
          security: 'starttls',
          user: '',
          fromAddress: '',
          fromName: 'Fleetpress',
          notifyAddress: '',
        },
        snapshots: { keep: 14 },
        jobs: { retentionDays: 30 },
        edge: { trustedProxies: [], proxyHeader: 'X-Forwarded-For' },
        siteLimits: { cpus: 2, memoryMiB: 512, processes: 256, diskMiB: 10_240, files: 400_000 },
        publish: { throughEdge: false },
        certificates: { directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory' },
        wordpressOrg: { apiUrl: 'https://api.wordpress.org', downloadsUrl: 'https://downloads.wordpress.org' },
        vulnerabilities: { feedUrl: WORDFENCE_FEED },
        assistant: { command: 'assistant' },
        backups: { scheduledCount: 14, safetyDays: 30, finalDays: 90 },
        detection: {
          mode: 'off',
          windowMinutes: 10,
          failedLogins: 10,
          xmlrpc: 60,
          probing: 40,
          refused: 60,
          blockMinutes: 60,
          longestMinutes: 43_200,
        },
        mailRelay: { hourlyLimit: 200, keepMessagesForDays: 30, smarthost: '', smarthostPort: 587, smarthostUser: '' },
        offsite: { copyAllSites: true },
        protection: { defaultLevel: 'standard', defaultOverrides: {}, xmlrpcNeverLimited: [] },
        scans: { enabled: true, onFinding: 'report', quarantineDays: 90 },
        updates: { feedUrl: '' },
      })
      assert.deepEqual(answer.secretsSet, [])
      for (const { title, fields, id } of answer.sections) {
        assert.ok(title.length > 0)
        for (const field of fields) {
          assert.match(field.description, /^\w.*\.$/s, `${id}.${field.name} is described in sentences`)
          assert.ok(field.schema !== null && typeof field.schema === 'object')
          assert.equal(field.secret, /password|token|secret/i.test(field.name), `${id}.${field.name}`)
          if (!field.secret) assert.deepEqual(field.default, given[id]?.[field.name], `${id}.${field.name}`)
        }
      }
      const secret = answer.sections.flatMap(({ fields }) => fields).filter(field => field.secret)
      assert.deepEqual(
        secret.map(({ name, default: shown }) => [name, shown]),
        [
          ['password', null],
          ['token', null],
          ['smarthostPassword', null],
        ],
      )
    })

    it('come from every feature that has some', async () => {
      const owned = features.flatMap(feature => feature.settings ?? []).map(section => section.id)
      const answered = (await panel.as('read-only').settingsGet()).sections.map(section => section.id)
      assert.deepEqual(answered, owned)
    })

    it('change in part: fields and sections left out stay as they are', async () => {
      const answer = await panel.as('full').settingsUpdate({ body: { mail: { port: 2525, user: 'panel' } } })
      assert.deepEqual([answer.values.mail?.port, answer.values.mail?.user], [2525, 'panel'])
      await panel
        .as('full')
        .settingsUpdate({ body: { mail: { host: 'mail.example.com' }, jobs: { retentionDays: 7 } } })
      const now = await values()
      assert.deepEqual([now.mail?.port, now.mail?.user, now.mail?.host], [2525, 'panel', 'mail.example.com'])
      assert.deepEqual([now.jobs?.retentionDays, now.snapshots?.keep], [7, 14])
      assert.deepEqual((await put({})).json(), { ...(await panel.as('full').settingsGet()), jobs: [] })
    })

    it('take many partial changes at once and lose none of them', async () => {
      const changes = [{ port: 1025 }, { user: 'one' }, { host: 'two.example.com' }, { fromName: 'Three' }]
      const more = [{ security: 'none' }, { fromAddress: 'four@example.com' }, { notifyAddress: 'five@example.com' }]
      const answers = await Promise.all([...changes, ...more].map(mail => put({ mail, activity: {} })))
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map(() => 200),
      )
      assert.deepEqual((await values()).mail, Object.assign({}, ...changes, ...more))
    })

    it('are refused whole when one field is wrong, one is unknown, or the section is', async () => {
      const wrong: [unknown, RegExp][] = [
        [{ mail: { port: 0 }, jobs: { retentionDays: 3 } }, /mail\.port/],
        [{ jobs: { retentionDays: 3 }, mail: { port: '25' } }, /mail\.port/],
        [{ jobs: { retentionDays: 3 }, mail: { colour: 'red' } }, /mail\.colour/],
        [{ jobs: { retentionDays: 3 }, nonsense: { a: 1 } }, /nonsense/],
        [{ jobs: { retentionDays: 3.5 } }, /jobs\.retentionDays/],
        [{ activity: { keepRequestsForDays: 0 } }, /activity\.keepRequestsForDays/],
        [{ snapshots: { keep: null } }, /snapshots\.keep/],
        [{ mail: { host: 'mail.example.com\r\nRCPT TO:<x@y.z>' } }, /mail\.host/],
        [{ mail: { fromName: 'two\nlines' } }, /mail\.fromName/],
        [{ mail: { notifyAddress: 'not an address' } }, /mail\.notifyAddress/],
        [{ mail: { password: 12 } }, /mail\.password/],
        [{ mail: { password: 'x'.repeat(1001) } }, /mail\.password/],
        [{ mail: 'x' }, /mail/],
        [[], /body/],
        ['mail', /body/],
      ]
      await changesNothing(panel, ['setting'], async () => {
        for (const [body, where] of wrong) {
          const answer = await put(body)
          assert.equal(answer.status, 400, JSON.stringify(body))
          assert.match(answer.text, /"code":"validation_error"/)
          assert.match(answer.text, where)
        }
      })
    })

    it('do not fall for names that every object has', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const json = { authorization: `Bearer ${panel.token.full}`, 'content-type': 'application/json' }
        for (const raw of [`{"${name}":{"a":1}}`, `{"mail":{"${name}":1}}`]) {
          const answer = await panel.ask('/api/settings', { method: 'PUT', headers: json, raw })
          assert.equal(answer.status, 400, raw)
        }
      }
    })

    it('never answer a secret, only that it is set', async () => {
      const changed = await put({ mail: { password: SECRET } })
      assert.equal(changed.status, 200)
      const owner = await panel.owner()
      const answers = [
        changed,
        await panel.askAs(owner, '/api/settings'),
        await put({ mail: { port: 26 } }),
        await put({ mail: { password: `${SECRET}${'x'.repeat(1000)}` } }),
      ]
      for (const { text } of answers) assert.ok(!text.includes(SECRET))
      assert.deepEqual((await panel.as('read-only').settingsGet()).secretsSet, ['mail.password'])
      assert.equal(await password(), SECRET, 'the panel itself can read it')
    })

    it('are sealed at rest where they are secret, and again each time', async () => {
      await put({ mail: { password: SECRET } })
      const first = await dumpTables(panel, ['setting'])
      await put({ mail: { password: SECRET } })
      const second = await dumpTables(panel, ['setting'])
      assert.ok(!first.includes(SECRET) && !second.includes(SECRET))
      const sealed = (text: string) => /\\"password\\":\\"([\w-]{40,})\\"/.exec(text)?.[1]
      assert.ok(sealed(first) && sealed(first) !== sealed(second))
      for (const [file, bytes] of filesIn(panel)) assert.ok(!bytes.includes(SECRET), file)
    })

    it('keep a secret that is not mentioned and forget one that is set to nothing', async () => {
      await put({ mail: { password: SECRET } })
      await put({ mail: { port: 27 } })
      assert.equal(await password(), SECRET)
      const answer = await panel.as('full').settingsUpdate({ body: { mail: { password: '' } } })
      assert.deepEqual(answer.secretsSet, [])
      assert.equal(await password(), '')
    })

    it('are read by everyone and changed by Full only', async () => {
      await changesNothing(panel, ['setting'], async () => {
        for (const access of ['read-only', 'manage'] as const)
          assert.equal((await put({ jobs: { retentionDays: 99 } }, access)).status, 403)
        assert.equal((await panel.ask('/api/settings')).status, 401)
        assert.equal((await panel.ask('/api/settings', { method: 'PUT', body: {} })).status, 401)
      })
    })
  })
}
