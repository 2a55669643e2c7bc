import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limitIn, overrideAt, rateText, valueText, withOverride } from '#features/protection/web/overrides.ts'

void describe('rows of a site on the screen', () => {
  void it('differ from the level only where someone said so', () => {
    const one = withOverride({}, 'rules', 'xmlrpc', 'refused')
    assert.deepEqual(one, { rules: { xmlrpc: 'refused' } })
    assert.equal(overrideAt(one, 'rules', 'xmlrpc'), 'refused')
    assert.deepEqual(withOverride(one, 'rules', 'xmlrpc', undefined), {})
    assert.deepEqual(withOverride({}, 'limits', 'login', null), { limits: { login: null } })
  })

  void it('are said in words', () => {
    assert.equal(valueText('limits', null), 'No limit')
    assert.equal(valueText('headers', true), 'Sent')
    assert.equal(valueText('hardening', false), 'Off')
    assert.equal(valueText('rules', 'refused'), 'Refused')
  })

  void it('take a limit as it is written', () => {
    const rate = { requests: 20, per: 'minute' as const, burst: 2 }
    assert.deepEqual(limitIn(rateText(rate)), { value: rate })
    assert.deepEqual(limitIn(' 5 / second '), { value: { requests: 5, per: 'second', burst: 0 } })
    assert.deepEqual(limitIn(''), { value: undefined })
    assert.deepEqual(limitIn('None'), { value: null })
    for (const text of ['20', '0/minute', '20/hour', 'x']) assert.ok('error' in limitIn(text), text)
  })
})
