import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runCli, temporaryFolder } from './run-cli.ts'

interface Taken {
  file: string
  sha256: string
  sizeBytes: number
}

void describe('what root does without signing in', { timeout: 300_000 }, () => {
  void test('a snapshot and the master key bring the keys of one panel to another', async t => {
    const folder = temporaryFolder(t)
    const first = { FLEETPRESS_DATA: join(folder, 'first') }
    const second = { FLEETPRESS_DATA: join(folder, 'second') }
    const made = await runCli(['key', 'create', 'kept', '--access', 'manage'], { env: first })
    assert.match(made.stdout, /^fp_mg_\S+\n$/, made.stderr)

    const exported = await runCli(['key', 'export', 'safe.key'], { env: first, cwd: folder })
    assert.equal(exported.stdout, `${join(folder, 'safe.key')}\n`, exported.stderr)
    assert.equal(statSync(join(folder, 'safe.key')).mode & 0o777, 0o600)
    const again = await runCli(['key', 'export', 'safe.key'], { env: first, cwd: folder })
    assert.notEqual(again.code, 0)
    assert.match(again.stderr, /never overwritten/)

    const copied = await runCli(['snapshot', '--json'], { env: first })
    assert.equal(copied.code, 0, copied.stderr)
    const taken: Taken = JSON.parse(copied.stdout)
    assert.ok(existsSync(taken.file))

    const words = ['restore', taken.file]
    const refused = await runCli(words, { env: second })
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /^This replaces the panel's database with .* Add --yes/)
    const keyless = await runCli([...words, '--yes'], { env: { FLEETPRESS_DATA: join(folder, 'third') } })
    assert.match(keyless.stderr, /First copy the master key of the snapshot's panel to /)
    mkdirSync(second.FLEETPRESS_DATA, { mode: 0o700 })
    copyFileSync(join(folder, 'safe.key'), join(second.FLEETPRESS_DATA, 'master.key'))
    const restored = await runCli([...words, '--yes'], { env: second })
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stdout, /^Restored \d+ rows in \d+ tables\./)
    assert.doesNotMatch(restored.stderr, /copy the master key/)
  })

  void test('a damaged snapshot or the key of another panel is refused in one sentence, and nothing changes', async t => {
    const folder = temporaryFolder(t)
    const env = { FLEETPRESS_DATA: join(folder, 'data') }
    await runCli(['key', 'create', 'kept', '--access', 'manage'], { env })
    const taken: Taken = JSON.parse((await runCli(['snapshot', '--json'], { env })).stdout)
    const filesOf = () => readdirSync(env.FLEETPRESS_DATA).toSorted()
    const [before, key] = [filesOf(), join(env.FLEETPRESS_DATA, 'master.key')]
    const refused = async (file: string) => {
      const ended = await runCli(['restore', file, '--yes'], { env })
      assert.match(ended.stderr, /^[^\n]+\n$/, 'it is one line')
      assert.deepEqual(filesOf(), before)
      return ended
    }

    const damaged = join(folder, 'damaged.fpsnap')
    copyFileSync(taken.file, damaged)
    truncateSync(damaged, 200)
    const cut = await refused(damaged)
    assert.equal(cut.code, 65)
    assert.match(cut.stderr, /damaged\.fpsnap can't be restored: it is damaged or .* Use another snapshot\.\n$/)
    writeFileSync(damaged, 'hello')
    assert.equal((await refused(damaged)).code, 65)
    assert.equal((await refused(folder)).code, 3)

    const right = readFileSync(key)
    writeFileSync(key, `${randomBytes(32).toString('hex')}\n`)
    const wrong = await refused(taken.file)
    assert.equal(wrong.code, 78)
    assert.match(wrong.stderr, /master\.key is not the master key of this snapshot\. Copy the key /)
    writeFileSync(key, right)
    assert.equal((await runCli(['key', 'create', 'again', '--access', 'manage'], { env })).code, 0)
  })

  void test('whatever makes the database, only its owner can read it', async t => {
    const folder = temporaryFolder(t)
    const env = { FLEETPRESS_DATA: folder }
    await runCli(['key', 'create', 'kept', '--access', 'manage'], { env })
    const taken: Taken = JSON.parse((await runCli(['snapshot', '--json'], { env })).stdout)
    chmodSync(join(folder, 'panel.db'), 0o644)
    await runCli(['restore', taken.file, '--yes'], { env })
    await runCli(['key', 'create', 'again', '--access', 'manage'], { env })
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    const open = files.filter(({ parentPath, name }) => (statSync(join(parentPath, name)).mode & 0o077) !== 0)
    assert.deepEqual(
      open.map(({ name }) => name),
      [],
    )
    assert.ok(files.some(({ name }) => name.includes('before-restore')))
  })

  void test('a damaged database names the snapshot to restore, and restoring it helps', async t => {
    const folder = temporaryFolder(t)
    const env = { FLEETPRESS_DATA: folder }
    await runCli(['key', 'create', 'kept', '--access', 'manage'], { env })
    const taken: Taken = JSON.parse((await runCli(['snapshot', '--json'], { env })).stdout)
    const database = join(folder, 'panel.db')
    for (const ending of ['-wal', '-shm']) rmSync(database + ending, { force: true })
    writeFileSync(database, 'x'.repeat(100_000))
    const ended = await runCli(['key', 'create', 'next', '--access', 'manage'], { env })
    assert.equal(ended.code, 78)
    const command = `./fleetpress restore ${taken.file}`
    assert.match(ended.stderr, /^The database \S+panel\.db is damaged\. Restore the newest snapshot, taken /)
    assert.ok(ended.stderr.endsWith(`: ${command}\n`), ended.stderr)
    assert.equal((await runCli(['restore', taken.file, '--yes'], { env })).code, 0)
    assert.equal((await runCli(['key', 'create', 'next', '--access', 'manage'], { env })).code, 0)
  })

  void test('a snapshot that is not there ends with 3', async t => {
    const folder = temporaryFolder(t)
    const ended = await runCli(['restore', 'nothing', '--yes'], { env: { FLEETPRESS_DATA: folder }, cwd: folder })
    assert.equal(ended.code, 3)
    assert.equal(ended.stderr, `There is no file ${join(folder, 'nothing')}: enter the path of a snapshot.\n`)
  })

  void test('a locked-out owner gets a link, alone on standard output', async t => {
    const { code, stdout, stderr } = await runCli(['admin', 'reset'], { env: { FLEETPRESS_DATA: temporaryFolder(t) } })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^http:\/\/localhost:8080\/setup#\S+\n$/)
    assert.match(stderr, /There is no account yet/)
  })
})
