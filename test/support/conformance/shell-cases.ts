import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { HostShell } from '#platform/host/host.ts'
import { countProcesses } from './count-processes.ts'
import type { Subject } from './subject.ts'

const LIMIT = { timeout: 30_000 }

export const shellCases = (subject: Subject): void => {
  terminalCases(subject)
  hangUpCases(subject)
}

const terminalCases = (subject: Subject): void => {
  void it('opens a terminal that tells its size, also after a change, and how the shell ended', LIMIT, async t => {
    const shell = await subject().host.shell({ cols: 101, rows: 31 })
    t.after(() => shell.kill())
    const shown = collect(shell)
    await typed(shell, 'stty size; echo "[$TERM] [$0]"; { [ "$PWD" = ~ ] || [ "$PWD" = ~root ]; } && id -un\n')
    await shows(shown, /31 101\r\n\[xterm-256color\] \[[^\]]*sh\]\r\nroot\r\n/)
    shell.resize(132, 43)
    await typed(shell, 'stty size\n')
    await shows(shown, /43 132\r\n/)
    await typed(shell, 'exit 7\n')
    assert.deepEqual(await shell.exited, { exitCode: 7, signal: null })
  })

  void it('carries characters of every kind both ways', LIMIT, async t => {
    const shell = await subject().host.shell({ cols: 200, rows: 24 })
    t.after(() => shell.kill())
    const shown = collect(shell)
    await typed(shell, "printf '<%s>' 'gr\u00fc\u00dfe \u{1f98a}'\n")
    await shows(shown, /<gr\u00fc\u00dfe \u{1f98a}>/u)
    await shell.kill()
  })
}

const hangUpCases = (subject: Subject): void => {
  void it('ends what runs in the terminal when it is killed', LIMIT, async t => {
    const marker = `marker-${randomUUID()}`
    const shell = await subject().host.shell({ cols: 80, rows: 24 })
    t.after(() => shell.kill())
    const shown = collect(shell)
    await typed(shell, `sh -c 'echo ru''nning; sleep 300; :' ${marker}\n`)
    await shows(shown, /running\r\n/)
    await shell.kill()
    await shell.exited
    assert.equal(await countSoon(subject, marker), 0)
  })

  void it('ends the terminal on abort', LIMIT, async () => {
    const abort = new AbortController()
    const shell = await subject().host.shell({ cols: 80, rows: 24, signal: abort.signal })
    collect(shell)
    abort.abort()
    await shell.exited
    await assert.rejects(subject().host.shell({ cols: 80, rows: 24, signal: abort.signal }), { name: 'AbortError' })
  })
}

const collect = (shell: HostShell): { text: string } => {
  const shown = { text: '' }
  const chunks: Buffer[] = []
  shell.on('error', () => {})
  shell.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    shown.text = Buffer.concat(chunks).toString()
  })
  return shown
}

const typed = (shell: HostShell, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    shell.write(text, error => (error ? reject(error) : resolve()))
  })

const shows = async (shown: { text: string }, pattern: RegExp): Promise<void> => {
  const deadline = performance.now() + 15_000
  while (!pattern.test(shown.text)) {
    assert.ok(performance.now() < deadline, `the terminal shows ${JSON.stringify(shown.text)}`)
    await delay(20)
  }
}

/** Hanging up is told to the processes, which then end by themselves. */
const countSoon = async (subject: Subject, marker: string): Promise<number> => {
  const deadline = performance.now() + 5_000
  for (;;) {
    const count = await countProcesses(subject(), marker)
    if (count === 0 || performance.now() > deadline) return count
    await delay(50)
  }
}
