import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { type Command, exec, into, pipe, render, stdinOf, withEnv, withStdin } from './command.ts'
import { LocalHost } from './local-host.ts'
import { Secret } from './secret.ts'
import { shellText } from './shell-text.ts'
import { isShellWord } from './shell-words.ts'

const golden: [title: string, command: Command, text: string][] = [
  ['plain words stay bare', exec('tar', '-C', '/srv/a_b', '--', 'x.y'), 'tar -C /srv/a_b -- x.y'],
  ['others are quoted', exec('ls', 'a b', '', "it's", '$x', '~', '*'), `ls 'a b' '' 'it'\\''s' '$x' '~' '*'`],
  ['a trailing newline is quoted', exec('ls', 'a\n'), `ls 'a\n'`],
  ['a program with a space', exec('/opt/my app/run'), `'/opt/my app/run'`],
  ['variables', withEnv(exec('wp', 'x'), { A: '1', B_2: 'a b' }), `env A=1 'B_2=a b' wp x`],
  ['no variables', withEnv(exec('wp'), {}), 'wp'],
  ['a builtin is a program', exec('printf', '%s'), 'env printf %s'],
  ['a keyword is a program', exec('time', 'ls'), 'env time ls'],
  ['stdin is not text', withStdin(exec('cat'), 'hello'), 'cat'],
  ['a pipe', pipe(exec('a'), exec('b', '|')), `(set -o pipefail; a | b '|')`],
  ['a pipe of one', pipe(exec('a')), 'a'],
  ['a pipe in a pipe', pipe(pipe(exec('a'), exec('b')), exec('c')), '(set -o pipefail; (set -o pipefail; a | b) | c)'],
  ['into', into('/x', exec('a')), '{ (umask 077; [ -e /x ] || : > /x) && a > /x; }'],
  ['into a hostile name', into('$(id)', exec('a')), `{ (umask 077; [ -e '$(id)' ] || : > '$(id)') && a > '$(id)'; }`],
  [
    'into in a pipe, a pipe in into',
    pipe(into('/x', pipe(exec('a'), exec('b'))), exec('c')),
    '(set -o pipefail; { (umask 077; [ -e /x ] || : > /x) && (set -o pipefail; a | b) > /x; } | c)',
  ],
]

void describe('render', () => {
  for (const [title, command, text] of golden) void it(title, () => assert.equal(render(command), text))

  const refused: [title: string, command: () => Command, code: string][] = [
    ['NUL', () => exec('ls', 'a\0b'), 'invalid_word'],
    ['NUL in a file', () => into('/a\0', exec('ls')), 'invalid_word'],
    ['NUL in a variable', () => withEnv(exec('ls'), { A: '\0' }), 'invalid_word'],
    ['half a character', () => exec('ls', 'a\udc00b'), 'invalid_word'],
    ['no program', () => exec(''), 'invalid_command'],
    ['a program that would be a variable', () => exec('A=b', 'ls'), 'invalid_command'],
    ['a variable with another name', () => withEnv(exec('ls'), { 'A B': '1' }), 'invalid_command'],
    ['a variable that is an option', () => withEnv(exec('ls'), { '-S': '1' }), 'invalid_command'],
    ['stdin for a later stage', () => pipe(exec('a'), withStdin(exec('b'), 'x')), 'invalid_command'],
    ['the network as a file', () => into('/dev/tcp/localhost/80', exec('a')), 'invalid_command'],
    ['more than one argument can hold', () => exec('ls', 'a'.repeat(131_072)), 'invalid_command'],
  ]
  for (const [title, command, code] of refused)
    void it(`refuses ${title}`, () => assert.throws(() => render(command()), { code }))

  void it('knows every builtin and keyword of this bash', async () => {
    const { stdout } = await new LocalHost().run(exec('bash', '-c', 'compgen -bk'))
    const unknown = stdout
      .trimEnd()
      .split('\n')
      .filter(word => !isShellWord(word))
    assert.deepEqual(unknown, [])
  })
})

void describe('shellText', () => {
  void it('adds nothing to a plain run', () => assert.equal(shellText(exec('a'), {}, 'runuser'), 'a'))

  void it('puts user and folder around it as words', () => {
    const command = pipe(exec('a', 'x y'), exec('b'))
    const text = `env '--chdir=/a b' /bin/bash --noprofile --norc -c '(set -o pipefail; a '\\''x y'\\'' | b)'`
    assert.equal(shellText(command, { cwd: '/a b' }, 'runuser'), text)
    assert.equal(shellText(command, { user: 'bob', cwd: '/a b' }, 'runuser'), `runuser -u bob -- ${text}`)
    assert.equal(shellText(command, { user: "b'", cwd: '/a b' }, 'sudo'), `sudo -n -H -u 'b'\\''' -- ${text}`)
  })
})

void describe('stdinOf', () => {
  void it('is that of the first program', () => {
    const first = withStdin(exec('cat'), 'x')
    assert.equal(stdinOf(into('/f', pipe(pipe(first, exec('b')), exec('c')))), 'x')
    assert.equal(stdinOf(exec('cat')), undefined)
  })
})

void describe('Secret', () => {
  void it('shows itself only when asked', () => {
    const secret = new Secret('hunter2')
    const command = withStdin(exec('cat'), secret)
    const shown = [
      String(secret),
      [secret].join(),
      JSON.stringify({ secret, command }),
      inspect(command, { showHidden: true }),
    ]
    for (const text of shown) {
      assert.ok(text.includes('[secret]'), text)
      assert.ok(!text.includes('hunter2'), text)
    }
    assert.equal(secret.reveal(), 'hunter2')
  })
})
