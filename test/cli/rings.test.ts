import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { environmentOfPanel, environmentOfTests } from '../../src/cli/panel/environment.ts'
import { inRepository, NODE, ROOT } from '../../src/cli/repository.ts'
import type { Totals } from '../../src/cli/test/count.ts'
import { findTestFiles, isSlow, ringOf } from '../../src/cli/test/find-files.ts'
import { PACKAGES } from '../../src/cli/test/packages.ts'
import { add, NOTHING, runFiles } from '../../src/cli/test/run-files.ts'
import { runCli, runProgram, temporaryFolder } from './run-cli.ts'

const SAMPLE = `
import { describe, test } from 'node:test'
describe('a suite is not counted', () => {
  test('passes', () => {})
  test('passes too', async t => t.test('and so does this', () => {}))
})
`

const environment = environmentOfTests(process.env)

const runSample = async (t: TestContext, text: string, says = ''): Promise<Totals> => {
  const file = join(temporaryFolder(t), 'sample.test.mjs')
  writeFileSync(file, text)
  const program = `
    import { runFiles } from ${JSON.stringify(inRepository('src', 'cli', 'test', 'run-files.ts'))}
    const totals = await runFiles([${JSON.stringify(file)}], 1, process.env)
    process.stdout.write('TOTALS ' + JSON.stringify(totals))`
  const { stdout, stderr } = await runProgram(NODE, ['--input-type=module', '-e', program])
  const [, json = 'null'] = stdout.split('TOTALS ')
  const totals: Totals | null = JSON.parse(json)
  assert.ok(totals, stderr)
  assert.ok(stdout.includes(says), stdout)
  return totals
}

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
    assert.equal(isSlow('src/platform/jobs/kill.slow.test.ts'), true)
    assert.equal(isSlow('src/platform/jobs/slow.test.ts'), false)
  })

  void test('a ring that does not exist is refused', async () => {
    const { code, stderr } = await runCli(['test', 'nonsense'])
    assert.equal(code, 2)
    assert.match(stderr, /choose unit, slow, fleet, journeys, all or soak/)
  })

  void test('the packages of the unit ring are those its tests need', () => {
    for (const name of PACKAGES.unit) {
      assert.equal(spawnSync('dpkg-query', ['-W', name]).status, 0, `${name} is not installed`)
    }
  })

  void test('tests find nothing of a panel that runs beside them, and a panel nothing of its caller', () => {
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
    const broken = await runSample(t, 'throw new Error("broken at once")', 'Error: broken at once')
    assert.deepEqual(broken, { passed: 0, failed: 1, skipped: 0 })
  })

  void test('are added, and nothing at all is nothing', async () => {
    assert.deepEqual(add({ passed: 1, failed: 2, skipped: 3 }, { passed: 1, failed: 1, skipped: 1 }), {
      passed: 2,
      failed: 3,
      skipped: 4,
    })
    assert.deepEqual(await runFiles([], 1, {}), NOTHING)
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
