import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { runCli, runProgram, temporaryFolder } from './run-cli.ts'

const scripts = { bash: '', zsh: '' }

before(async () => {
  for (const shell of ['bash', 'zsh'] as const) {
    const { code, stdout, stderr } = await runCli(['completion', shell])
    assert.equal(code, 0, stderr)
    scripts[shell] = stdout
  }
})

const write = (t: TestContext, name: string, text: string): string => {
  const file = join(temporaryFolder(t), name)
  writeFileSync(file, text)
  return file
}

/** Asks bash itself: the words typed so far come in, what it offers goes out. */
const BASH = `source "$1"; shift
[ "$(complete -p fleetpress)" = 'complete -o default -F _fleetpress fleetpress' ] || exit 9
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_fleetpress
printf '%s\\n' "\${COMPREPLY[@]}"`

const bashOffers = async (t: TestContext, ...words: string[]): Promise<string[]> => {
  const file = write(t, 'completion.bash', scripts.bash)
  const { code, stdout, stderr } = await runProgram('bash', ['-euc', BASH, 'bash', file, './fleetpress', ...words])
  assert.equal(code, 0, stderr)
  return stdout.split('\n').filter(line => line !== '')
}

/** Types into a real zsh on a terminal, presses Tab, and reads the line that stands there then. */
const ZSH = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PS2= RPS1= TERM=dumb; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -d $2; source $1"
zpty -w shell "show() { print -r -- \\"<\\$BUFFER>\\"; BUFFER=; }; zle -N show; bindkey '^X' show; print ready-to-type"
zpty -r -m shell seen '*ready-to-type*ready-to-type*'
zpty -w -n shell "$3"$'\\t'$'\\x18'
zpty -r -m shell seen '*<*>*'
print -r -- "\${\${seen##*<}%%>*}"
zpty -d shell`

const zshCompletes = async (t: TestContext, typed: string): Promise<string> => {
  const file = write(t, '_completion', scripts.zsh)
  const { code, stdout, stderr } = await runProgram('zsh', ['-fc', ZSH, 'zsh', file, `${file}.dump`, typed], {
    limitMs: 30_000,
  })
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

void describe('completion in bash', () => {
  void test('offers commands, subcommands and options', async t => {
    const first = await bashOffers(t, '')
    for (const word of ['up', 'down', 'key', 'jobs', 'keys', '--help']) assert.ok(first.includes(word), word)
    assert.deepEqual(await bashOffers(t, 'sta'), ['status'])
    assert.deepEqual(await bashOffers(t, 'jobs', ''), ['list', 'type-list', 'get', 'cancel', '--help'])
    assert.deepEqual(await bashOffers(t, 'jobs', 'list', '--si'), ['--site-slug', '--since'])
    assert.deepEqual(await bashOffers(t, 'up', ''), ['--detached', '--no-server', '--domain', '--email', '--help'])
  })

  void test('offers the values of an option, and does not take a value for a command', async t => {
    assert.deepEqual(await bashOffers(t, 'key', 'create', 'x', '--access', ''), ['read-only', 'manage', 'full'])
    assert.deepEqual(await bashOffers(t, 'key', 'create', 'x', '--access', 'm'), ['manage'])
    assert.deepEqual(await bashOffers(t, 'jobs', 'list', '--q', 'up', '--q'), ['--q'])
    assert.deepEqual(await bashOffers(t, 'jobs', 'list', '--q', ''), [])
  })
})

void describe('completion in zsh', () => {
  void test('completes commands, subcommands, options and values', async t => {
    assert.equal(await zshCompletes(t, 'fleetpress sta'), 'fleetpress status')
    assert.equal(await zshCompletes(t, 'fleetpress jobs typ'), 'fleetpress jobs type-list')
    assert.equal(await zshCompletes(t, './fleetpress jobs list --site'), './fleetpress jobs list --site-slug')
    assert.equal(
      await zshCompletes(t, 'fleetpress key create x --access ma'),
      'fleetpress key create x --access manage',
    )
  })
})
