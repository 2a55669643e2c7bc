import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRequest } from './parse-request.ts'
import { suspicionOf } from './suspicion.ts'

const line = (part: Record<string, string>) =>
  JSON.stringify({
    time: '1763366400.000',
    site: 'bakery',
    host: 'bakery.example',
    method: 'GET',
    uri: '/',
    status: '200',
    address: '203.0.113.7',
    userAgent: 'curl',
    blockedBy: '',
    ...part,
  })

const reasonOf = (part: Record<string, string>) => {
  const request = parseRequest(line(part))
  assert.ok(request)
  return suspicionOf(request)
}

describe('suspicion', () => {
  const login = { method: 'POST', uri: '/wp-login.php' }
  const cases: [title: string, part: Record<string, string>, reason: string | undefined][] = [
    ['a failed login', login, 'failed-logins'],
    ['a failed login below a folder', { ...login, uri: '//blog/wp-login.php?redirect_to=x' }, 'failed-logins'],
    ['a login that succeeded', { ...login, status: '302' }, undefined],
    ['the form of the login', { uri: '/wp-login.php' }, undefined],
    ['a lost password', { ...login, uri: '/wp-login.php?action=lostpassword' }, undefined],
    ['a guess over XML-RPC', { method: 'POST', uri: '/xmlrpc.php' }, 'xmlrpc'],
    ['a look at XML-RPC', { uri: '/xmlrpc.php', status: '405' }, undefined],
    ['a missing script', { uri: '/old/backup.zip', status: '404' }, 'probing'],
    ['a missing image', { uri: '/logo.png?v=2', status: '404' }, undefined],
    ['what a phone looks for', { uri: '/.well-known/assetlinks.json', status: '404' }, undefined],
    ['a refused request', { status: '403', blockedBy: 'sql-injection' }, 'refused'],
    ['one from a blocked address', { ...login, status: '403', blockedBy: 'address' }, undefined],
    ['a name that is no site', { site: '', uri: '/x', status: '404' }, undefined],
    ['a page', {}, undefined],
  ]
  for (const [title, part, reason] of cases)
    it(`${title} is ${reason ?? 'harmless'}`, () => assert.equal(reasonOf(part), reason))

  it('takes no line that is not whole', () => {
    for (const text of [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"time":"1.000"}',
      line({ time: 'now' }),
      line({ status: '999' }),
    ])
      assert.equal(parseRequest(text), undefined, text)
  })

  it('shows nothing that could mislead a reader', () => {
    const request = parseRequest(line({ uri: `/\u202ea\u0000${'x'.repeat(5000)}?secret=1`, userAgent: '\u001b[2J' }))
    assert.deepEqual([request?.path.slice(0, 4), request?.path.length], ['/\ufffda\ufffd', 200])
    assert.equal(request?.userAgent, '\ufffd[2J')
  })
})
