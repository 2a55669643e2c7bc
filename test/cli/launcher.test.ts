import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { inRepository } from '../../src/cli/repository.ts'
import { runProgram, temporaryFolder } from './run-cli.ts'

const script = (file: string, text: string): void => {
  writeFileSync(file, `#!/usr/bin/env bash\nset -euo pipefail\n${text}`)
  chmodSync(file, 0o755)
}

/** Stands in for Debian's npm, which links no Node: what it installs is a Node that prints the words it was given, one per line and quoted. */
const NPM = `
echo "$* on $(command -v node || true)" >>"$NPM_CALLS"
if [ -n "\${NPM_FAILS:-}" ]; then echo 'the registry is away'; exit 1; fi
sleep "\${NPM_SECONDS:-0}"
for kind in x64 arm64; do
  mkdir -p node_modules/node-linux-$kind/bin
  printf '%s\\n' '#!/usr/bin/env bash' 'printf "%q\\n" "$@"' >node_modules/node-linux-$kind/bin/node
  chmod 755 node_modules/node-linux-$kind/bin/node
done
`

/** A copy of the launcher with nothing installed yet, and a folder of programs that come first. */
const freshCopy = (t: TestContext) => {
  const folder = temporaryFolder(t)
  const copy = join(folder, 'a copy')
  const programs = join(folder, 'programs')
  for (const path of [copy, programs]) mkdirSync(path)
  copyFileSync(inRepository('fleetpress'), join(copy, 'fleetpress'))
  chmodSync(join(copy, 'fleetpress'), 0o755)
  for (const file of ['package.json', 'package-lock.json']) writeFileSync(join(copy, file), '{}\n')
  script(join(programs, 'npm'), NPM)
  const env = { PATH: `${programs}:${process.env.PATH}`, NPM_CALLS: join(folder, 'calls') }
  const calls = () => (existsSync(env.NPM_CALLS) ? readFileSync(env.NPM_CALLS, 'utf8').trim().split('\n') : [])
  const launch = (words: string[], more: Record<string, string> = {}, program = join(copy, 'fleetpress')) =>
    runProgram(program, words, { env: { ...env, ...more }, cwd: folder })
  return { folder, copy, programs, calls, launch }
}

const onlyPrograms = [
  'bash',
  'dirname',
  'readlink',
  'sha256sum',
  'cat',
  'mkdir',
  'flock',
  'rm',
  'cp',
  'mv',
  'ln',
  'tail',
]

void describe('the launcher', () => {
  void test('passes every word on untouched', async t => {
    const { copy, launch } = freshCopy(t)
    const words = ['jobs', 'list', '', 'two words', '*', '$HOME', "it's", '"', '--', '-x', 'a\nb', '\\', 'é']
    const { code, stdout } = await launch(words)
    assert.equal(code, 0)
    const [flag, require, cache, main, ...passed] = stdout.split('\n').slice(0, -1)
    assert.deepEqual([flag, require], ['--disable-warning=ExperimentalWarning', '--require'])
    const source = `${copy}/src`.replace('a copy', 'a\\ copy')
    assert.deepEqual([cache, main], [`${source}/cli/quick-start.cjs`, `${source}/cli/main.ts`])
    const expected = await runProgram('bash', ['-c', 'printf "%q\\n" "$@"', 'bash', ...words])
    assert.deepEqual(passed, expected.stdout.split('\n').slice(0, -1))
  })

  void test('finds its folder through links, from anywhere', async t => {
    const { folder, copy, launch } = freshCopy(t)
    symlinkSync(join(copy, 'fleetpress'), join(folder, 'first'))
    symlinkSync('first', join(folder, 'second'))
    const { code, stdout } = await launch(['status'], {}, join(folder, 'second'))
    assert.equal(code, 0)
    assert.match(stdout, /a\\ copy\/src\/cli\/main\.ts\nstatus\n$/)
  })

  void test('installs once, runs no scripts, and again when the lockfile changes', async t => {
    const { copy, calls, launch } = freshCopy(t)
    const first = await launch(['status'])
    assert.match(first.stderr, /^Installing the packages of package-lock\.json … \d+ s\n$/)
    const second = await launch(['status'])
    assert.equal(second.stderr, '')
    // Once for a Node 24, and once more for all packages with npm running on it.
    const options = 'install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error --include=optional'
    assert.equal(calls().length, 2)
    assert.ok(calls()[0]?.startsWith(`${options} --omit=dev on `))
    assert.equal(calls()[1], `${options} --include=dev on ${copy}/.cache/install/node_modules/.bin/node`)
    appendFileSync(join(copy, 'package-lock.json'), '\n')
    await launch(['status'])
    assert.equal(calls().length, 3)
    assert.equal(calls()[2], `${options} --include=dev on ${copy}/node_modules/.bin/node`)
    assert.deepEqual(readdirSync(join(copy, '.cache')).toSorted(), ['install.lock', 'install.log'])
  })

  void test('installs once for two that start together', async t => {
    const { calls, launch } = freshCopy(t)
    const ended = await Promise.all([launch(['a'], { NPM_SECONDS: '1' }), launch(['b'], { NPM_SECONDS: '1' })])
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0],
    )
    assert.equal(calls().length, 2)
  })

  void test('shows what npm said when it fails, and keeps what worked before', async t => {
    const { copy, launch } = freshCopy(t)
    await launch(['status'])
    appendFileSync(join(copy, 'package-lock.json'), '\n')
    const { code, stderr, stdout } = await launch(['status'], { NPM_FAILS: '1' })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /the registry is away\nFix what npm says above, then run this again\./)
    assert.ok(existsSync(join(copy, 'node_modules', '.bin', 'node')))
  })
})

/** A machine that has nothing but the programs named here. */
const bareMachine = async (t: TestContext, uid: number) => {
  const fresh = freshCopy(t)
  const bare = join(fresh.folder, 'bare')
  mkdirSync(bare)
  for (const name of [...onlyPrograms, 'env', 'sleep', 'chmod', 'uname']) {
    const { stdout } = await runProgram('bash', ['-c', 'type -P "$1"', 'bash', name])
    symlinkSync(stdout.trim(), join(bare, name))
  }
  script(join(bare, 'id'), `echo ${uid}\n`)
  const apt = `echo "apt-get $*" >>"$NPM_CALLS"\nif [ "\${5:-}" = npm ]; then cp '${fresh.programs}/npm' '${bare}/npm'; fi\n`
  script(join(bare, 'apt-get'), apt)
  return { ...fresh, launchBare: () => fresh.launch(['up'], { PATH: bare }) }
}

void describe('the launcher on a machine without npm', () => {
  void test('installs it as root, and says so', async t => {
    const { launchBare, calls } = await bareMachine(t, 0)
    const { code, stderr } = await launchBare()
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^Installing Debian's nodejs and npm … \d+ s\nInstalling the packages/)
    assert.ok(calls().includes('apt-get install -y --no-install-recommends g++'), calls().join('\n'))
    assert.deepEqual(calls().slice(0, 2), [
      'apt-get update',
      'apt-get install -y --no-install-recommends nodejs npm ca-certificates',
    ])
  })

  void test('tells anybody else to use sudo', async t => {
    const { launchBare, calls } = await bareMachine(t, 1000)
    const { code, stderr } = await launchBare()
    assert.equal(code, 1)
    assert.match(stderr, /^Fleetpress needs npm, and only root can install it: run this once with sudo,/)
    assert.deepEqual(calls(), [])
  })
})
