import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { features } from '#app/features.ts'
import { inRepository, NODE, NODE_FLAGS } from '../../src/cli/repository.ts'
import { hurriedClock } from '../generated/clock.ts'
import {
  type BytesSeen,
  newBytesSeen,
  patternFrom,
  plantedBytes,
  plantedLarge,
  sha256,
} from '../generated/planted-bytes.ts'
import { listening } from '../generated/raw.ts'
import { type TestPanel, testPanel } from '../support/panel.ts'
import { freePort } from '../support/ports.ts'
import { startProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { runProgram, type Start, temporaryFolder } from './run-cli.ts'

const MIB = 1_048_576
const LARGE = 48 * MIB

let panel: TestPanel
let proxy: TcpProxy
let seen: BytesSeen
before(async () => {
  const port = await freePort()
  proxy = await startProxy(port)
  seen = newBytesSeen()
  panel = await testPanel({
    features: [...features, plantedBytes(seen), plantedLarge(seen)],
    env: { FLEETPRESS_PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${proxy.port}` },
    now: hurriedClock(),
  })
  await listening(panel)
})
after(async () => {
  proxy.close()
  await panel.stop()
})

const run = (words: string[], start: Start = {}) =>
  runProgram(NODE, [...NODE_FLAGS, inRepository('test', 'cli', 'planted-cli.ts'), 'planted', ...words], {
    ...start,
    env: { FLEETPRESS_URL: `http://127.0.0.1:${proxy.port}`, FLEETPRESS_KEY: panel.token.full },
  })

const digestOf = async (source: AsyncIterable<Buffer>): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(source, hash)
  return hash.digest('hex')
}

void describe('commands of endpoints that carry bytes', () => {
  void test('send a file or what is piped in, and save or pass on what comes', async t => {
    const folder = temporaryFolder(t)
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 253))
    const file = join(folder, 'sent.bin')
    writeFileSync(file, content)
    const sent = await run(['file-write', '--name', 'a.bin', '--file', file, '--json'])
    assert.deepEqual([sent.code, JSON.parse(sent.stdout)], [0, { name: 'a.bin', etag: sha256(content) }], sent.stderr)
    const saved = join(folder, 'saved.bin')
    const got = await run(['file-read', '--name', 'a.bin', '-o', saved])
    assert.deepEqual([got.code, got.stdout], [0, ''], got.stderr)
    assert.match(got.stderr, /^Saved .*saved\.bin \(97\.7 KiB\)\.\n$/)
    assert.deepEqual(readFileSync(saved), content)
    assert.equal((await run(['file-write', '--name', 'b.txt'], { input: 'piped in' })).code, 0)
    assert.equal((await run(['file-read', '--name', 'b.txt'])).stdout, 'piped in')
    assert.equal((await run(['archive'])).stdout, 'first part,second part')
    assert.deepEqual(readdirSync(folder).toSorted(), ['saved.bin', 'sent.bin'])
  })

  void test('send a form with its fields', async t => {
    const file = join(temporaryFolder(t), 'my "plugin".zip')
    writeFileSync(file, 'zip')
    const { code, stdout, stderr } = await run([
      'form',
      '--title',
      'Größe',
      '--overwrite',
      'true',
      '--file',
      file,
      '--json',
    ])
    assert.equal(code, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), {
      title: 'Größe',
      filename: 'my %22plugin%22.zip',
      sizeBytes: 3,
      sha256: sha256(Buffer.from('zip')),
    })
    assert.equal((await run(['form', '--title', 'T'], { input: 'piped' })).code, 0)
  })

  void test('say what to do when something is wrong, and leave nothing behind', async t => {
    const folder = temporaryFolder(t)
    const large = join(folder, 'large')
    writeFileSync(large, '')
    truncateSync(large, 9 * MIB)
    const taken = ['file-write', '--name', 'hello.txt']
    const wrong: [string[], Start, number, RegExp][] = [
      [[...taken, '--create-only'], { input: 'x' }, 5, /already exists/],
      [[...taken, '--if-match', 'other'], { input: 'x' }, 5, /changed in the meantime/],
      [[...taken, '--file', join(folder, 'nothing')], {}, 2, /can't be read \(ENOENT\)/],
      [[...taken, '--file', folder], {}, 2, /is a folder/],
      [[...taken, '--file', large], {}, 2, /The limit is 8388608/],
      [['file-read', '--name', 'nothing', '-o', join(folder, 'x')], {}, 3, /There is no such file/],
      [['file-read', '--name', 'hello.txt', '-o', join(folder, 'no', 'x')], {}, 1, /ENOENT/],
    ]
    for (const [words, start, exitCode, expected] of wrong) {
      const { code, stderr } = await run(words, start)
      assert.equal(code, exitCode, stderr)
      assert.match(stderr, expected)
    }
    assert.deepEqual(readdirSync(folder), ['large'])
    assert.equal(seen.files.get('hello.txt')?.toString(), 'hello, world')
  })

  void test('never take a download that broke off for a complete one', async t => {
    const file = join(temporaryFolder(t), 'broken')
    const { code, stderr } = await run(['broken', '-o', file])
    assert.equal(code, 1)
    assert.match(stderr, /connection was lost/)
    assert.ok(!existsSync(file))
  })

  void test('continue with a download when the connection breaks, and in a later run', async t => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'large.bin')
    const words = ['source', '--size', String(LARGE), '-o', file]
    const part = () => readdirSync(folder).find(name => name.endsWith('.part')) ?? ''
    const size = () => statSync(join(folder, part()), { throwIfNoEntry: false })?.size ?? 0
    const running = run(words)
    for (const share of [0.1, 0.4, 0.7]) {
      while (part() === '' || size() < LARGE * share) await wait(2)
      proxy.reset()
    }
    const { code, stderr } = await running
    assert.equal(code, 0, stderr)
    assert.match(stderr, /Resuming after [\d.]+ MiB of 48\.0 MiB\./)
    const expected = await digestOf(patternFrom({ start: 0, end: LARGE - 1 }))
    assert.equal(await digestOf(createReadStream(file)), expected)

    const name = `${file}.${createHash('sha256').update(`pattern-${LARGE}`).digest('hex').slice(0, 12)}.part`
    await pipeline(patternFrom({ start: 0, end: 12_345_677 }), (await import('node:fs')).createWriteStream(name))
    writeFileSync(`${file}.0123456789ab.part`, 'a part of something else')
    const later = await run(words)
    assert.match(later.stderr, /Resuming after 11\.8 MiB/)
    assert.equal(await digestOf(createReadStream(file)), expected)
  })
})
