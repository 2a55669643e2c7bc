import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { NODE, ROOT } from '../../src/cli/repository.ts'
import { isFancy } from '../../src/cli/terminal.ts'
import { showSteps } from '../../src/cli/up/steps.ts'
import { CLI_WORDS } from './run-cli.ts'
import { problem, stubPanel } from './stub-panel.ts'

const ID = '01a1dd16-f29d-7000-ac2f-8d9a3b6b953a'

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Runs the CLI on its own terminal and answers each prompt when it stands there, as a person would. */
const onTerminal = (words: string[], env: Record<string, string>, replies: [string, string][] = []) =>
  new Promise<{ code: number | null; screen: string }>((resolve, reject) => {
    const line = [NODE, ...CLI_WORDS, ...words].map(quoted).join(' ')
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), TERM: 'xterm', SHELL: '/bin/sh', ...env },
      timeout: 300_000,
      killSignal: 'SIGKILL',
    })
    let screen = ''
    let seen = 0
    const left = [...replies]
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      screen += part
      const [prompt, reply] = left[0] ?? ['', '']
      const at = left.length > 0 ? screen.indexOf(prompt, seen) : -1
      if (at === -1) return
      seen = at + prompt.length
      left.shift()
      // The terminal is switched to silence right after the prompt is written.
      setTimeout(() => child.stdin.write(reply), 200)
    })
    child.once('error', reject)
    child.once('close', code => resolve({ code, screen }))
  })

void describe('on a terminal', () => {
  void test('passwords are asked for and never shown', async t => {
    const { env, seen } = await stubPanel(t, () => ({ status: 200, body: { ok: true } }))
    const { code, screen } = await onTerminal(['account', 'password', '--yes'], env, [
      ['password: ', 'hidden-old\r'],
      ['newPassword: ', 'hidden-new\r'],
      ['newPassword again: ', 'hidden-new\r'],
    ])
    assert.equal(code, 0, screen)
    assert.deepEqual(seen[0]?.body, { password: 'hidden-old', newPassword: 'hidden-new' })
    assert.doesNotMatch(screen, /hidden/)
  })

  void test('a new password that is not typed the same twice changes nothing', async t => {
    const { env, seen } = await stubPanel(t, () => ({ status: 200, body: { ok: true } }))
    const { code, screen } = await onTerminal(['account', 'password', '--yes'], env, [
      ['password: ', 'a\r'],
      ['newPassword: ', 'b\r'],
      ['newPassword again: ', 'c\r'],
    ])
    assert.equal(code, 2)
    assert.match(screen, /don't match/)
    assert.equal(seen.length, 0)
  })

  void test('what destroys is asked for first', async t => {
    const { env, seen } = await stubPanel(t, () => ({ status: 200, body: { ok: true } }))
    const no = await onTerminal(['keys', 'revoke', ID], env, [['[y/N] ', '\r']])
    assert.equal(no.code, 1)
    assert.match(no.screen, /Revoke an API key immediately\. Continue\? \[y\/N\] [\s\S]*Nothing was changed/)
    assert.equal(seen.length, 0)
    const yes = await onTerminal(['keys', 'revoke', ID], env, [['[y/N] ', 'y\r']])
    assert.equal(yes.code, 0, yes.screen)
    assert.equal(seen.length, 1)
  })

  void test('Ctrl-C at a question ends the command with nothing done', async t => {
    const { env, seen } = await stubPanel(t, () => ({ status: 200, body: { ok: true } }))
    const { code } = await onTerminal(['keys', 'revoke', ID], env, [['[y/N] ', '\u0003']])
    assert.equal(code, 130)
    assert.equal(seen.length, 0)
  })

  void test('failures are red, but not with NO_COLOR', async t => {
    const { env } = await stubPanel(t, () => problem(404, 'not_found', 'There is none.'))
    const coloured = await onTerminal(['jobs', 'get', ID], env)
    assert.match(coloured.screen, /^\p{Cc}\[31mThere is none\.\p{Cc}\[39m\r\n$/u)
    const plain = await onTerminal(['jobs', 'get', ID], { ...env, NO_COLOR: '1' })
    assert.equal(plain.screen, 'There is none.\r\n')
    assert.equal(plain.code, 3)
  })
})

void describe('steps', () => {
  const record = async (isTTY: boolean) => {
    let text = ''
    const screen = { isTTY, write: (part: string) => void (text += part) }
    const steps = showSteps(screen)
    await steps('One', note => note('found'))
    await assert.rejects(steps('Two', () => Promise.reject(new Error('no'))))
    return text
  }

  void test('are one plain line each where no one watches', async () => {
    assert.match(await record(false), /^✓ One: found \d\.\d s\n✗ Two \d\.\d s\n$/)
  })

  void test('show what runs at a terminal, and only there', async () => {
    assert.equal(isFancy({ isTTY: true, write: String }, {}), true)
    assert.equal(isFancy({ isTTY: true, write: String }, { NO_COLOR: '1' }), false)
    assert.equal(isFancy({ isTTY: true, write: String }, { TERM: 'dumb' }), false)
    assert.equal(isFancy({ write: String }, {}), false)
  })
})
