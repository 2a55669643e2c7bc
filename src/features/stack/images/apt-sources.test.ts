import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAptSources, sourcesForSuite } from './apt-sources.ts'

const lines = `# deb http://old.example/debian bullseye main
deb http://a.example/debian bookworm main contrib
deb-src http://a.example/debian bookworm main
deb [arch=amd64 signed-by=/usr/share/keyrings/x.gpg] http://a.example/debian-security bookworm-security main # why
deb https://vendor.example/apt stable main
`
const stanzas = `Types: deb deb-src
# a remark in between
URIs: http://a.example/debian
Suites: trixie
 trixie-updates
Components: main
Signed-By: /usr/share/keyrings/x.gpg

Types: deb
URIs: http://off.example/debian
Suites: trixie
Enabled: no

Types: deb
URIs: http://a.example/debian-security/
Suites: trixie-security
Components: main
`

void describe('the apt sources of a machine', () => {
  void it('are read from lines', () =>
    assert.deepEqual(parseAptSources(lines), [
      { uri: 'http://a.example/debian', suite: 'bookworm' },
      { uri: 'http://a.example/debian-security', suite: 'bookworm-security' },
      { uri: 'https://vendor.example/apt', suite: 'stable' },
    ]))

  void it('are read from stanzas', () =>
    assert.deepEqual(parseAptSources(stanzas), [
      { uri: 'http://a.example/debian', suite: 'trixie' },
      { uri: 'http://a.example/debian', suite: 'trixie-updates' },
      { uri: 'http://a.example/debian-security/', suite: 'trixie-security' },
    ]))

  void it('give the same archives for another suite', () => {
    const expected = [
      'deb http://a.example/debian bullseye main',
      'deb http://a.example/debian-security bullseye-security main',
    ]
    assert.deepEqual(sourcesForSuite(parseAptSources(lines), 'bullseye'), expected)
    assert.equal(sourcesForSuite(parseAptSources(stanzas), 'bullseye').length, 2)
  })

  void it('give nothing where there is no Debian archive', () => {
    assert.deepEqual(sourcesForSuite(parseAptSources('deb http://a.example/ubuntu noble main'), 'trixie'), [])
    assert.deepEqual(parseAptSources(''), [])
  })
})
