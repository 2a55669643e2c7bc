import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { environmentOfPanel, environmentOfTests } from '../../src/cli/panel/environment.ts'
import { inRepository, NODE, ROOT } from '../../src/cli/repository.ts'
import type { Totals } from '../../src/cli/test/count.ts'
import { changedFiles, findTestFiles, isAlone, quickFiles, ringOf } from '../../src/cli/test/find-files.ts'
import { PACKAGES } from '../../src/cli/test/packages.ts'
import { add, BEHIND_SERVERS, NOTHING, type Ran, runFiles, type Turns } from '../../src/cli/test/run-files.ts'
import { budgetMs, longestFirst, readUsual } from '../../src/cli/test/times.ts'
import { runCli, runProgram, temporaryFolder } from './run-cli.ts'

const SAMPLE = `
import { describe, test } from 'node:test'
describe('a suite is not counted', () => {
  test('passes', () => {})
  test('passes too', async t => t.test('and so does this', () => {}))
})
`

const environment = environmentOfTests(process.env)
const TURNS: Turns = { atATime: 1, niceness: BEHIND_SERVERS }

const runSamples = async (t: TestContext, texts: Record<string, string>, says = /^/, env = {}): Promise<Ran> => {
  const folder = temporaryFolder(t)
  const files = Object.keys(texts).map(name => join(folder, `${name}.test.mjs`))
  for (const [at, text] of Object.values(texts).entries()) writeFileSync(files[at] ?? '', text)
  const program = `
    import { runFiles } from ${JSON.stringify(inRepository('src', 'cli', 'test', 'run-files.ts'))}
    const env = { ...process.env, FLEETPRESS_QUICK: '1', ...${JSON.stringify(env)} }
    process.stdout.write('RAN ' + JSON.stringify(await runFiles(${JSON.stringify(files)}, ${JSON.stringify(TURNS)}, env)))`
  const { stdout, stderr } = await runProgram(NODE, ['--input-type=module', '-e', program])
  const [, json = 'null'] = stdout.split('RAN ')
  const ran: Ran | null = JSON.parse(json)
  assert.ok(ran, stderr)
  assert.match(stdout, says)
  return ran
}

const runSample = async (t: TestContext, text: string, says = /^/): Promise<Totals> =>
  (await runSamples(t, { sample: text }, says)).totals

void describe('rings', () => {
  void test('every test file of the repository belongs to one', () => {
    const files = findTestFiles(ROOT)
    assert.ok(files.includes('test/cli/rings.test.ts'))
    assert.deepEqual(
      files.filter(file => ringOf(file) === undefined),
      [],
    )
  })

  void test('are told by the name and the place', () => {
    assert.equal(ringOf('src/platform/host/quote.test.ts'), 'unit')
    assert.equal(ringOf('test/access.test.ts'), 'unit')
    assert.equal(ringOf('test/cli/up.test.ts'), 'unit')
    assert.equal(ringOf('src/drivers/docker/run.fleet.test.ts'), 'fleet')
    assert.equal(ringOf('test/fleet/vps.test.ts'), 'fleet')
    assert.equal(ringOf('test/journeys/login.test.ts'), 'journeys')
    assert.equal(ringOf('src/platform/jobs/kill.soak.test.ts'), 'soak')
    assert.equal(ringOf('test/jobs/lanes.slow.test.ts'), 'slow')
    assert.equal(ringOf('src/web/page.test.tsx'), undefined)
    assert.equal(ringOf('src/features/login/times.alone.test.ts'), 'slow')
    assert.equal(ringOf('src/drivers/nginx/load.alone.fleet.test.ts'), 'fleet')
    assert.equal(isAlone('src/features/login/times.alone.test.ts'), true)
    assert.equal(isAlone('src/drivers/nginx/load.alone.fleet.test.ts'), true)
    assert.equal(isAlone('src/platform/jobs/kill.slow.test.ts'), false)
    assert.equal(isAlone('src/platform/jobs/alone.test.ts'), false)
  })

  void test('quick are those without a panel, and all of the part that was changed', () => {
    const short = 'src/features/schedules/times.test.ts'
    const withPanel = 'src/features/schedules/schedules.test.ts'
    const others = [
      'src/features/jobs/routes.test.ts',
      'src/platform/host/quote.property.test.ts',
      'test/access.test.ts',
    ]
    const files = [short, withPanel, ...others]
    assert.deepEqual(quickFiles(ROOT, files, ['docs/tests.md']), [short])
    assert.deepEqual(quickFiles(ROOT, files, ['src/features/schedules/web/plan.ts']), [short, withPanel])
    assert.ok(quickFiles(ROOT, findTestFiles(ROOT), []).length > 50)
  })

  void test('what was changed is what git says, and nothing where there is no checkout', t => {
    const folder = temporaryFolder(t)
    assert.deepEqual(changedFiles(folder), [])
    const git = (...words: string[]) => spawnSync('git', words, { cwd: folder })
    git('init', '-q')
    writeFileSync(join(folder, 'kept.ts'), '')
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first')
    writeFileSync(join(folder, 'kept.ts'), 'changed')
    writeFileSync(join(folder, 'new.ts'), '')
    assert.deepEqual(changedFiles(folder), ['kept.ts', 'new.ts'])
  })

  void test('a ring that does not exist is refused', async () => {
    const { code, stderr } = await runCli(['test', 'nonsense'])
    assert.equal(code, 2)
    assert.match(stderr, /choose quick, unit, slow, fleet, journeys, all or soak/)
  })

  void test('the packages of the unit ring are those its tests need', () => {
    for (const name of PACKAGES.unit) {
      assert.equal(spawnSync('dpkg-query', ['-W', name]).status, 0, `${name} is not installed`)
    }
  })

  void test('tests find nothing of a panel that runs next to them, and a panel nothing of its caller', () => {
    const given = { FLEETPRESS_DATA: '/d', FLEETPRESS_KEY: 'k', DATABASE_URL: 'x', LOG_LEVEL: 'x', PATH: '/bin' }
    assert.deepEqual(environmentOfTests(given), { PATH: '/bin' })
    const panel = { FLEETPRESS_DATA: '/e', DATABASE_URL: 'x', LOG_LEVEL: 'x', PATH: '/bin' }
    assert.deepEqual(environmentOfPanel(given, '/e'), panel)
    assert.equal(environment.NODE_TEST_CONTEXT, undefined)
  })
})

void describe('totals', () => {
  void test('count tests, not suites', async t => {
    assert.deepEqual(await runSample(t, SAMPLE), { passed: 3, failed: 0, skipped: 0 })
  })

  void test('count what failed, what was left out, and a file that breaks', async t => {
    const failing = `${SAMPLE}\ntest('fails', () => { throw new Error('x') })\ntest.skip('left out', () => {})\n`
    assert.deepEqual(await runSample(t, failing), { passed: 3, failed: 1, skipped: 1 })
    const broken = await runSample(t, 'throw new Error("broken at once")', /Error: broken at once/)
    assert.deepEqual(broken, { passed: 0, failed: 1, skipped: 0 })
  })

  void test('count what fails outside of tests, as its file ends, and say why', async t => {
    const fail = `() => { throw new Error('the reason') }`
    const inSuite = (hook: string) => `describe('outer', () => { ${hook}(${fail}); test('in it', () => {}) })`
    const sampleWith = (text: string) => `import { after, before } from 'node:test'\n${SAMPLE}\n${text}\n`
    const samples = {
      before: sampleWith(inSuite('before')),
      after: sampleWith(inSuite('after')),
      suite: sampleWith(`describe('outer', async () => { throw new Error('the reason') })`),
      hook: sampleWith(`after(${fail})`),
    }
    const passed = [3, 4, 3, 3]
    const lines = passed.map(number => `✗ .*: ${number} passed, 1 failed, 0 skipped .*\\n  .*\\n    the reason\\n`)
    const { totals } = await runSamples(t, samples, new RegExp(`^${lines.join('')}`))
    assert.deepEqual(totals, { passed: 13, failed: 4, skipped: 0 })
  })

  void test('count a file that never ends, and say what it waits for', async t => {
    const hanging = `${SAMPLE}\nsetInterval(() => {}, 1000)\n`
    const limited = { FLEETPRESS_TEST_LIMIT_MS: '5000' }
    const { totals } = await runSamples(t, { hanging }, /Ended after 5 s\. Still waiting for: /, limited)
    assert.ok(totals.failed > 0)
  })

  void test('are added, and nothing at all is nothing', async () => {
    const one: Ran = { totals: { passed: 1, failed: 2, skipped: 3 }, times: [{ file: 'a', durationMs: 1 }] }
    const other: Ran = { totals: { passed: 1, failed: 1, skipped: 1 }, times: [{ file: 'b', durationMs: 2 }] }
    const both: Ran = { totals: { passed: 2, failed: 3, skipped: 4 }, times: [...one.times, ...other.times] }
    assert.deepEqual(add(one, other), both)
    assert.deepEqual(await runFiles([], TURNS, {}), NOTHING)
  })
})

void describe('turns', () => {
  void test('files give way as far as they are told to', async t => {
    const polite = `
      import assert from 'node:assert/strict'
      import { getPriority } from 'node:os'
      import { test } from 'node:test'
      test('gives way', () => assert.equal(getPriority(), ${BEHIND_SERVERS}))`
    assert.deepEqual(await runSample(t, polite), { passed: 1, failed: 0, skipped: 0 })
  })
})

void describe('times', () => {
  void test('are those of each file, which run in the order given', async t => {
    const { times } = await runSamples(t, { second: SAMPLE, first: SAMPLE })
    assert.deepEqual(
      times.map(({ file }) => basename(file)),
      ['second.test.mjs', 'first.test.mjs'],
    )
    assert.ok(times.every(({ durationMs }) => durationMs > 0))
  })

  void test('put the longest file first', () => {
    const known = { 'a.test.ts': 1, 'b.test.ts': 20 }
    const [small, large] = ['test/cli/show.test.ts', 'test/secrets.test.ts']
    const ordered = [large, small, 'b.test.ts', 'a.test.ts']
    assert.deepEqual(longestFirst(ordered.toReversed(), known), ordered)
  })

  void test('are known to be long by their present names', () => {
    const files = findTestFiles(ROOT)
    for (const file of Object.keys(readUsual())) assert.ok(files.includes(file), file)
    const short = 'test/cli/rings.test.ts'
    const long = 'test/newcomer.slow.test.ts'
    assert.deepEqual(longestFirst([short, long], {}), [long, short])
  })

  void test('have a budget where one was promised', () => {
    assert.equal(budgetMs('all'), 45 * 60_000)
    assert.equal(budgetMs('quick'), 60_000)
    assert.equal(budgetMs('fleet'), undefined)
  })

  void test('are told at the end: the slowest ten, every ring, and the whole next to its budget', async () => {
    const times = Array.from({ length: 12 }, (_, at) => ({ file: `src/a${at}.test.ts`, durationMs: at * 1000 }))
    const program = `
      import { showTimes } from ${JSON.stringify(inRepository('src', 'cli', 'test', 'times.ts'))}
      showTimes('quick', ${JSON.stringify([...times, { file: 'test/journeys/b.test.ts', durationMs: 500 }])}, 61_000)`
    const { stdout } = await runProgram(NODE, ['--input-type=module', '-e', program])
    assert.match(stdout, /11\.0 s {2}src\/a11\.test\.ts\n/)
    assert.doesNotMatch(stdout, /src\/a1\.test\.ts/)
    assert.match(stdout, /unit +12 files {2}66\.0 s\n +journeys +1 files {2}0\.5 s\n/)
    assert.match(stdout, /Took 1 min 1 s of 1 min 0 s: over budget\./)
  })
})

void describe('.ci/run', () => {
  void test('runs the tests from wherever it is called', () => {
    const file = inRepository('.ci', 'run')
    assert.ok(existsSync(file))
    const text = readFileSync(file, 'utf8')
    assert.match(text, /^#!\/usr\/bin\/env bash\nset -euo pipefail\n/)
    assert.match(text, /\nexec \.\/fleetpress test\n$/)
  })
})
