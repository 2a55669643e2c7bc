import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Dns } from './ask-dns.ts'
import { checkDomain } from './check-domain.ts'
import { evaluateSpf, mergeSpf } from './spf.ts'

const TEXTS: Record<string, string[]> = {
  'shop.example': ['v=spf1 include:_spf.mail.example mx -all', 'other=1'],
  '_spf.mail.example': ['v=spf1 ip4:198.51.100.0/24 ?all'],
  'late.example': ['v=spf1 ip4:192.0.2.10 -all'],
  'two.example': ['v=spf1 -all', 'v=spf1 mx -all'],
  'deep.example': ['v=spf1 redirect=deep.example'],
  '_dmarc.shop.example': ['v=DMARC1; p=reject'],
  'fp1._domainkey.shop.example': ['v=DKIM1; k=rsa; p=MI IB'],
}
/** What a resolver has not forgotten yet. */
const REMEMBERED: Record<string, string[]> = { 'late.example': [] }
const dns: Dns = {
  texts: async name => REMEMBERED[name] ?? TEXTS[name] ?? [],
  textsAtSource: async name => TEXTS[name] ?? [],
  addresses: async name => (name === 'mx.shop.example' ? ['192.0.2.10'] : []),
  exchanges: async name => (name === 'shop.example' ? ['mx.shop.example'] : []),
  namesOf: async () => [],
}
const check = (domain: string, addresses: string[], isDirect = true) =>
  checkDomain(
    dns,
    { domain, siteSlugs: [], serverIds: [], addresses },
    {
      isDirect,
      now: 1,
      keys: [
        {
          domain: 'shop.example',
          selector: 'fp1',
          state: 'active',
          public_key: 'MIIB',
          sealed_private_key: '',
          created_at: 1,
          retired_at: null,
        },
      ],
    },
  )

void describe('what DNS says about a domain', () => {
  void it('SPF: follows includes, exchanges and networks', async () => {
    const found = await evaluateSpf(dns, 'shop.example', TEXTS['shop.example']?.[0] ?? '', [
      '192.0.2.10',
      '198.51.100.7',
    ])
    assert.deepEqual(found, { missing: [], lookups: 2 })
    assert.equal((await check('shop.example', ['192.0.2.10'])).spf.verdict, 'ok')
    const { spf } = await check('shop.example', ['203.0.113.7', '198.51.100.7'])
    assert.equal(spf.record?.content, 'v=spf1 ip4:203.0.113.7 include:_spf.mail.example mx -all')
  })

  void it('SPF: never two records, never past ten lookups', async () => {
    assert.deepEqual(
      [(await check('two.example', ['192.0.2.1'])).spf].map(({ verdict, record }) => [verdict, record]),
      [['wrong', null]],
    )
    const { spf } = await check('deep.example', ['192.0.2.1'])
    assert.deepEqual([spf.verdict, spf.record], ['wrong', null])
    assert.equal(mergeSpf(undefined, ['192.0.2.1', '2001:db8::1']), 'v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 ~all')
    assert.equal((await check('none.example', ['192.0.2.1'], false)).spf.record, null)
  })

  void it('believes the name servers of the domain, and says what resolvers still say', async () => {
    const { spf, dmarc } = await check('late.example', ['192.0.2.10'])
    assert.deepEqual([spf.verdict, spf.resolvers, dmarc.resolvers], ['ok', [], null])
    assert.match(spf.message, /Some resolvers still say something else/)
    const own = await check('shop.example', ['192.0.2.10'])
    assert.equal(own.spf.resolvers, null)
  })

  void it('DKIM and DMARC: compares the key, and a policy of the parent counts', async () => {
    const own = await check('shop.example', ['192.0.2.10'])
    assert.deepEqual([own.dkim.verdict, own.dmarc.verdict], ['ok', 'ok'])
    const below = await check('new.shop.example', ['192.0.2.10'])
    assert.deepEqual([below.dkim.verdict, below.dmarc.verdict], ['missing', 'ok'])
    const other = await check('none.example', ['192.0.2.10'])
    assert.equal(other.dmarc.record?.content, 'v=DMARC1; p=none')
  })
})
