import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { readConfig } from '#platform/config/config.ts'
import { identify } from '#platform/host/process-identity.ts'
import { panelFingerprint } from '../../src/cli/panel/fingerprint.ts'
import { lastLines } from '../../src/cli/panel/last-lines.ts'
import { withLock } from '../../src/cli/panel/lock.ts'
import { findRecord, removeRecord, writeRecord } from '../../src/cli/panel/record.ts'
import { inRepository, NODE } from '../../src/cli/repository.ts'
import { webStamp } from '../../src/cli/up/web.ts'
import { runProgram, temporaryFolder } from './run-cli.ts'

const write = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const repository = (t: TestContext): string => {
  const root = temporaryFolder(t)
  const files = ['src/main.ts', 'src/platform/a.ts', 'src/features/x/contract.ts', 'src/features/x/web/Page.tsx']
  for (const path of [...files, 'src/cli/b.ts', 'src/web/main.tsx', 'vite.config.ts', 'package-lock.json']) {
    write(root, path, path)
  }
  return root
}

void describe('what a panel was made from', () => {
  const config = readConfig({ FLEETPRESS_DATA: '/nowhere' })

  const changes = (t: TestContext, path: string): { panel: boolean; web: boolean } => {
    const root = repository(t)
    const before = [panelFingerprint(root, config, ''), webStamp(root)]
    write(root, path, 'changed')
    const after = [panelFingerprint(root, config, ''), webStamp(root)]
    return { panel: before[0] !== after[0], web: before[1] !== after[1] }
  }

  const cases: [string, boolean, boolean][] = [
    ['src/main.ts', true, false],
    ['src/platform/new.ts', true, false],
    ['src/platform/a.test.ts', false, false],
    ['src/cli/b.ts', false, false],
    ['src/web/main.tsx', false, true],
    ['src/features/x/web/Page.tsx', false, true],
    ['src/features/x/contract.ts', true, true],
    ['package-lock.json', true, true],
    ['vite.config.ts', false, true],
  ]
  for (const [path, panel, web] of cases) {
    const what = [...(panel ? ['the panel'] : []), ...(web ? ['the browser interface'] : [])].join(' and ') || 'nothing'
    void test(`${path} changes ${what}`, t => assert.deepEqual(changes(t, path), { panel, web }))
  }

  void test('its configuration and its browser interface count', t => {
    const root = repository(t)
    const first = panelFingerprint(root, config, 'a')
    assert.equal(panelFingerprint(root, config, 'a'), first)
    assert.notEqual(panelFingerprint(root, { ...config, port: 1 }, 'a'), first)
    assert.notEqual(panelFingerprint(root, config, 'b'), first)
  })
})

void describe('the record of a panel', () => {
  void test('is read back, removed, and nothing when it is damaged', t => {
    const dataDir = temporaryFolder(t)
    const config = readConfig({ FLEETPRESS_DATA: dataDir })
    assert.equal(findRecord(dataDir), undefined)
    writeRecord(config, process.pid, 'print')
    assert.deepEqual(findRecord(dataDir), {
      ...identify(process.pid),
      listen: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      fingerprint: 'print',
    })
    for (const damaged of ['', '{', '[]', 'null', '{"pid":1}']) {
      write(dataDir, 'panel.json', damaged)
      assert.equal(findRecord(dataDir), undefined)
    }
    removeRecord(dataDir)
    assert.equal(findRecord(dataDir), undefined)
  })
})

void describe('the lock', () => {
  void test('lets one in at a time', async t => {
    const file = join(temporaryFolder(t), 'lock')
    let inside = 0
    let most = 0
    const enter = () =>
      withLock(file, async () => {
        inside += 1
        most = Math.max(most, inside)
        await new Promise(resolve => setTimeout(resolve, 20))
        inside -= 1
      })
    await Promise.all([enter(), enter(), enter()])
    assert.equal(most, 1)
  })

  void test('is taken over from a process that is gone, and from one that left half a lock', async t => {
    const file = join(temporaryFolder(t), 'lock')
    for (const left of [JSON.stringify({ pid: process.pid, startTicks: 1, bootId: 'other' }), '']) {
      writeFileSync(file, left)
      assert.equal(await withLock(file, async () => 'in'), 'in')
    }
  })

  void test('is taken over by one of many who find the same dead holder', async t => {
    const folder = temporaryFolder(t)
    const [file, notes] = [join(folder, 'lock'), join(folder, 'notes')]
    writeFileSync(file, JSON.stringify({ pid: process.pid, startTicks: 1, bootId: 'other' }))
    const code = `import { appendFileSync } from 'node:fs'
      import { setTimeout as sleep } from 'node:timers/promises'
      const { withLock } = await import(${JSON.stringify(inRepository('src/cli/panel/lock.ts'))})
      await withLock(${JSON.stringify(file)}, async () => {
        appendFileSync(${JSON.stringify(notes)}, '(')
        await sleep(20)
        appendFileSync(${JSON.stringify(notes)}, ')')
      })`
    const all = Array.from({ length: 5 }, () => runProgram(NODE, ['--input-type=module', '-e', code]))
    for (const { code: exit, stderr } of await Promise.all(all)) assert.equal(exit, 0, stderr)
    assert.equal(readFileSync(notes, 'utf8'), '()'.repeat(5))
    assert.deepEqual(readdirSync(folder), ['notes'])
  })
})

void describe('the end of a log', () => {
  void test('is as many lines as asked for, and never before a place', t => {
    const file = join(temporaryFolder(t), 'log')
    const lines = Array.from({ length: 5000 }, (_, at) => `line ${at} ${'é'.repeat(20)}`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    assert.equal(lastLines(file, 3), lines.slice(-3).join('\n'))
    assert.equal(lastLines(file, 4000), lines.slice(-4000).join('\n'))
    assert.equal(lastLines(file, 9999), lines.join('\n'))
    assert.equal(lastLines(file, 0), '')
    const start = Buffer.byteLength(`${lines.slice(0, 4990).join('\n')}\n`)
    assert.equal(lastLines(file, 100, start), lines.slice(4990).join('\n'))
    assert.equal(lastLines(`${file}.none`, 3), '')
  })
})
