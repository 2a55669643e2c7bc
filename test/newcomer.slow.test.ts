import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { readRepository } from './architecture/repository.ts'

const ROOT = join(import.meta.dirname, '..')
const FEATURE = 'src/features/notes'
/** What a newcomer runs: the rules, and the suites that are generated from the contracts. */
const SUITES = ['architecture', 'contract', 'access', 'populated', 'hooks', 'http-errors'].map(
  name => `test/${name}.test.ts`,
)
/** The types of other tests are checked anyway, and nothing of the feature is in them. */
const ALL_BUT_OTHER_TESTS = {
  extends: './tsconfig.json',
  include: ['src', 'test/generated'],
  exclude: ['src/**/*.test.ts', 'src/web', 'src/features/*/web'],
  files: [`${FEATURE}/routes.test.ts`],
}
/** What the spec does not have is listed by hand, so that no one adds an endpoint unnoticed. */
const OWN_ENDPOINTS = `Notes	GET	/api/sites/:slug/notes	read-only				yes
Notes	POST	/api/sites/:slug/notes	manage				yes
`
const SAMPLE_ROW =
  "  note: { id: '01890000-0000-7000-8000-000000000009', site_slug: 'site-0', text: 'Hello', created_at: now },\n"

describe('a feature with an endpoint, a table, a tab, a part of Home and a part of the stack', {
  timeout: 1_800_000,
}, () => {
  const copy = mkdtempSync(join(tmpdir(), 'fleetpress-newcomer-'))
  after(() => rmSync(copy, { recursive: true, force: true }))

  const edit = (file: string, change: (text: string) => string) => {
    const before = readFileSync(join(copy, file), 'utf8')
    const text = change(before)
    assert.notEqual(text, before, `${file} is not as this test expects it`)
    writeFileSync(join(copy, file), text)
  }
  const run = async (program: string, ...words: string[]) => {
    const path = `${join(copy, 'node_modules/.bin')}:${process.env.PATH}`
    // The outer run's own settings would make the inner one report to it.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const done = await promisify(execFile)(program, words, {
      cwd: copy,
      env: { ...env, PATH: path, FLEETPRESS_TEST_GROUP: 'Notes' },
      maxBuffer: 2 ** 26,
    }).catch((error: unknown) => error as { stdout: string; stderr: string; code: number })
    assert.ok(!('code' in done), `${program} ${words.join(' ')}\n${done.stdout}${done.stderr}`)
  }
  const runTests = (...files: string[]) =>
    run('node', '--test', '--test-concurrency=1', '--test-global-setup=test/support/global-setup.ts', ...files)

  before(async () => {
    for (const path of readRepository().keys()) cpSync(join(ROOT, path), join(copy, path))
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    await run('git', 'init', '--quiet')
    cpSync(join(import.meta.dirname, 'newcomer/notes'), join(copy, FEATURE), { recursive: true })
    renameSync(join(copy, FEATURE, 'routes.checks.ts'), join(copy, FEATURE, 'routes.test.ts'))
    rmSync(join(copy, 'test/newcomer'), { recursive: true })
    // The one line of registration.
    edit('src/app/contract.ts', text =>
      `import { notes } from '#features/notes/contract.ts'\n${text}`.replace('\n  files,', '\n  files,\n  notes,'),
    )
  })

  it('type-checks, for the server and the browser', async () => {
    writeFileSync(join(copy, 'tsconfig.newcomer.json'), JSON.stringify(ALL_BUT_OTHER_TESTS))
    await run('tsc', '-p', 'tsconfig.newcomer.json', '--checkers', '1')
    await run('tsc', '-p', 'src/web', '--checkers', '1')
  })

  it('works', () => runTests(`${FEATURE}/routes.test.ts`))

  it('passes the rules and the generated suites', async () => {
    appendFileSync(join(copy, 'test/access-table-own.tsv'), OWN_ENDPOINTS)
    edit('test/generated/sample-rows.ts', text =>
      text.replace('  one_time_token: {', `${SAMPLE_ROW}  one_time_token: {`),
    )
    await run('node', 'src/cli/main.ts', 'dev', 'openapi')
    await run('node', 'src/cli/main.ts', 'dev', 'hooks')
    await run('biome', 'check', '--write', 'src/app/contract.ts')
    await runTests(...SUITES)
  })

  it('is built into the browser interface', () =>
    run('vite', 'build', '--logLevel', 'error', '--outDir', join(copy, 'dist')))

  it('is gone with its folder and its line', async () => {
    rmSync(join(copy, FEATURE), { recursive: true })
    for (const file of ['src/app/contract.ts', 'test/generated/sample-rows.ts', 'test/access-table-own.tsv'])
      cpSync(join(ROOT, file), join(copy, file))
    await runTests('test/architecture.test.ts')
  })
})
