import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { PANEL_VARIABLES } from '../../src/cli/panel/environment.ts'
import { inRepository } from '../../src/cli/repository.ts'
import { checkDisk, checkRights, checkSystem } from '../../src/cli/up/checks.ts'
import { checkPortFree } from '../../src/cli/up/port.ts'
import { runCli, temporaryFolder } from './run-cli.ts'

/** One sentence: it ends once, and a colon parts what is wrong from what to do. */
const oneSentence = /^[A-Z][^\n]+: [^\n]+\.$/

const release = (t: TestContext, text: string): string => {
  const file = join(temporaryFolder(t), 'os-release')
  writeFileSync(file, text)
  return file
}

const supported: [string, string][] = [
  [
    'Debian 12',
    'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
  ],
  ['Debian 13', 'ID=debian\nVERSION_ID="13"\nVERSION_CODENAME=trixie\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n'],
  [
    'a derivative',
    'ID=raspbian\nID_LIKE=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Raspbian 12"\n',
  ],
  [
    'a derivative with its own codename',
    'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_CODENAME=gigi\nDEBIAN_CODENAME=trixie\nPRETTY_NAME="LMDE 7"\n',
  ],
]

const unsupported: [string, string][] = [
  [
    'Debian 11',
    'ID=debian\nVERSION_ID="11"\nVERSION_CODENAME=bullseye\nPRETTY_NAME="Debian GNU/Linux 11 (bullseye)"\n',
  ],
  ['Ubuntu', 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nVERSION_CODENAME=noble\nPRETTY_NAME="Ubuntu 24.04"\n'],
  ['Fedora', 'ID=fedora\nVERSION_ID=43\nPRETTY_NAME="Fedora Linux 43"\n'],
  ['nothing at all', ''],
]

void describe('what up says when it cannot', () => {
  for (const [name, text] of supported) {
    void test(`takes ${name}`, t => assert.notEqual(checkSystem(release(t, text)), ''))
  }

  for (const [name, text] of unsupported) {
    void test(`refuses ${name} in one sentence`, t => {
      const file = release(t, text)
      assert.throws(() => checkSystem(file), { name: 'Failure', message: oneSentence })
      assert.throws(() => checkSystem(file), /which Fleetpress does not support: use Debian 12 or 13/)
    })
  }

  void test('not root, and a folder of someone else', () => {
    const refused = () => checkRights('/proc/sys/fleetpress', 1000)
    assert.throws(refused, { name: 'Failure', message: oneSentence })
    assert.throws(refused, /run it as root \(sudo \.\/fleetpress up\), or set FLEETPRESS_DATA/)
  })

  void test('not root, but in their own folder', t => {
    const folder = temporaryFolder(t)
    chmodSync(folder, 0o777)
    assert.match(checkRights(join(folder, 'data'), 1000), /not root, but .* is writable/)
  })

  void test('no room on the disk', t => {
    const refused = () => checkDisk(temporaryFolder(t), 2 ** 60)
    assert.throws(refused, { name: 'Failure', message: oneSentence })
    assert.throws(refused, /are free for .*, and Fleetpress needs 1048576\.0 TiB: free some space/)
  })

  void test('an address this machine does not have', async () => {
    const refused = checkPortFree({ listen: '192.0.2.1', port: 8080 })
    await assert.rejects(refused, { message: /does not have the address 192\.0\.2\.1: set FLEETPRESS_LISTEN/ })
  })

  void test('a data folder that cannot be written to', async t => {
    const file = join(temporaryFolder(t), 'file')
    writeFileSync(file, '')
    const { code, stderr, stdout } = await runCli(['up'], { env: { FLEETPRESS_DATA: join(file, 'data') } })
    assert.equal(code, 1)
    assert.match(stderr.trimEnd(), oneSentence)
    assert.match(stderr, /^The data folder .* can't be created or written to \(ENOTDIR\): set FLEETPRESS_DATA/)
    assert.match(stdout, /\n✗ Data folder /)
  })

  void test('a wrong configuration, from the environment or the file', async t => {
    const folder = temporaryFolder(t)
    const env = { FLEETPRESS_DATA: folder }
    const wrong = await runCli(['up'], { env: { ...env, FLEETPRESS_PORT: 'eighty' } })
    assert.equal(wrong.code, 78)
    assert.match(wrong.stderr, /^The configuration is invalid .*FLEETPRESS_PORT: /)
    const authority = await runCli(['up'], { env: { ...env, FLEETPRESS_CA_FILE: join(folder, 'none.pem') } })
    assert.equal(authority.code, 78)
    assert.match(authority.stderr, /FLEETPRESS_CA_FILE: must be a file with certificates in PEM form/)
    writeFileSync(join(folder, 'fleetpress.env'), 'PUBLIC_URL=ftp://example.com\n')
    const file = await runCli(['status'], { env })
    assert.equal(file.code, 78)
    assert.match(file.stderr, /fleetpress\.env\)\. PUBLIC_URL: /)
  })

  void test('the CLI knows every variable of the configuration', () => {
    const schema = readFileSync(inRepository('src', 'platform', 'config', 'config.ts'), 'utf8')
    const names = [...schema.matchAll(/^ {2}([A-Z][A-Z_]+): z/gm)].map(([, name]) => name)
    assert.deepEqual(PANEL_VARIABLES, names)
  })
})
