import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '#platform/host/secret.ts'
import { escapeHtml, NOBODY, nicename, ownedBy } from './prepared-database.ts'

const MADE_AT_MS = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000

const owner = {
  url: 'https://shop.example',
  title: `Ada's "Shop" & <b>`,
  user: 'Ada.L@example.com',
  email: 'ada@example.com',
  passwordHash: new Secret('$wp$2y$10$hash'),
}

const give = (columns: string[], rows: (string | null)[][]) => {
  const [table] = ownedBy(
    { madeAtMs: MADE_AT_MS, tables: [{ name: 't', create: '', columns, rows }] },
    owner,
    MADE_AT_MS + DAY_MS,
  )
  return table?.rows
}

void describe('a prepared database', () => {
  void it('becomes that of the owner: address, title, account and password', () => {
    const columns = ['user_login', 'user_pass', 'user_nicename', 'user_email', 'user_url', 'option_value']
    const row = [NOBODY.user, 'old', NOBODY.user, NOBODY.email, NOBODY.url, NOBODY.title]
    assert.deepEqual(give(columns, [row]), [
      [owner.user, '$wp$2y$10$hash', 'ada-lexample-com', owner.email, owner.url, escapeHtml(owner.title)],
    ])
    const text = `<a href="${NOBODY.url}/wp-admin/">here</a> ${NOBODY.url}`
    assert.deepEqual(give(['post_content'], [[text]]), [
      ['<a href="https://shop.example/wp-admin/">here</a> https://shop.example'],
    ])
  })

  void it('is as old as the site and not as old as the preparation', () => {
    const before = MADE_AT_MS / 1000
    const rows = [
      ['2026-01-01 00:00:00'],
      ['0000-00-00 00:00:00'],
      [`${before}`],
      [`a:1:{i:${before};a:0:{}}`],
      [null],
      [''],
    ]
    assert.deepEqual(give(['value'], rows), [
      ['2026-01-02 00:00:00'],
      ['0000-00-00 00:00:00'],
      [`${before + 86_400}`],
      [`a:1:{i:${before + 86_400};a:0:{}}`],
      [null],
      [''],
    ])
  })

  void it('leaves behind what only its preparation held', () => {
    assert.deepEqual(
      give(
        ['option_name', 'option_value'],
        [
          ['_transient_doing_cron', '1.5'],
          ['home', NOBODY.url],
        ],
      ),
      [['home', owner.url]],
    )
  })

  void it('takes a title as the text that it is, whatever it looks like', () => {
    assert.equal(escapeHtml(`<script>"'`), '&lt;script&gt;&quot;&#039;')
    assert.equal(escapeHtml('Q & A &amp; &#8217; &#x2019; &;'), 'Q &amp; A &amp; &#8217; &#x2019; &amp;;')
    assert.deepEqual(give(['option_value'], [[NOBODY.title]]), [['Ada&#039;s &quot;Shop&quot; &amp; &lt;b&gt;']])
  })

  void it('gives an account the address that WordPress would give it', () => {
    assert.deepEqual(['ada', 'Ada.Lovelace', 'a@b.c', 'a--b_c.', 'x'.repeat(60)].map(nicename), [
      'ada',
      'ada-lovelace',
      'ab-c',
      'a-b_c',
      'x'.repeat(50),
    ])
  })
})
