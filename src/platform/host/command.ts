import { InvalidCommand } from './errors.ts'
import { quote } from './quote.ts'
import type { Secret } from './secret.ts'
import { isShellWord } from './shell-words.ts'

/**
 * A command for a host, as data. It reaches a shell only through `render`, which quotes every word once.
 * Words are plain strings and a `Secret` is not one: a secret travels on stdin or in a 0600 file, so any
 * command can be logged, shown to the operator and asserted in a test exactly as it ran.
 */
export type Command = ExecCommand | PipeCommand | IntoCommand

export interface ExecCommand {
  readonly kind: 'exec'
  readonly argv: Argv
  readonly stdin?: string | Secret
  /** Anyone on the machine can read these while the program runs, so never a secret. */
  readonly env?: Readonly<Record<string, string>>
}

export interface PipeCommand {
  readonly kind: 'pipe'
  readonly stages: Stages
}

export interface IntoCommand {
  readonly kind: 'into'
  readonly command: Command
  readonly file: string
}

export type Argv = readonly [program: string, ...words: string[]]
export type Stages = readonly [Command, ...Command[]]

/** Linux takes at most 128 KiB in one argument, and the whole text is one argument of the host's shell. */
const LONGEST_TEXT_BYTES = 128 * 1024 - 1

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

export const exec = (...argv: Argv): ExecCommand => ({ kind: 'exec', argv })

/**
 * The same program with something to read. It arrives on a socket, which cannot be opened a second time by name:
 * for a program that wants a file, `pipe(withStdin(exec('cat'), secret), exec(program, '/dev/stdin'))`.
 */
export const withStdin = (command: ExecCommand, stdin: string | Secret): ExecCommand => ({ ...command, stdin })

export const withEnv = (command: ExecCommand, env: Readonly<Record<string, string>>): ExecCommand => ({
  ...command,
  env: { ...command.env, ...env },
})

/** Fails when any stage fails, so a stage that stops reading early makes the one before it end with 141. */
export const pipe = (...stages: Stages): PipeCommand => ({ kind: 'pipe', stages })

/** The command's output in a file, created with mode 0600; a file that exists is emptied and keeps its mode. */
export const into = (file: string, command: Command): IntoCommand => ({ kind: 'into', command, file })

/** The text for bash. Every form is a simple command or a group, so each can stand inside any other. */
export const render = (command: Command): string => {
  const text = renderAny(command)
  const bytes = Buffer.byteLength(text)
  if (bytes > LONGEST_TEXT_BYTES) {
    throw new InvalidCommand(
      `the command is ${bytes} bytes long, the limit is ${LONGEST_TEXT_BYTES}: use stdin or a file`,
    )
  }
  return text
}

/** What the command reads: that of its first program, since all others read the one before them. */
export const stdinOf = (command: Command): string | Secret | undefined => {
  if (command.kind === 'exec') return command.stdin
  return stdinOf(command.kind === 'pipe' ? command.stages[0] : command.command)
}

const renderAny = (command: Command): string => {
  if (command.kind === 'exec') return renderExec(command)
  return command.kind === 'pipe' ? renderPipe(command.stages) : renderInto(command)
}

const renderExec = ({ argv, env = {} }: ExecCommand): string => {
  const [program] = argv
  if (program === undefined || program === '') throw new InvalidCommand('a command needs a program')
  if (program.includes('=')) throw new InvalidCommand("the name of a program can't contain =")
  const variables = Object.entries(env).map(([name, value]) => {
    if (!VARIABLE_NAME.test(name))
      throw new InvalidCommand('the name of a variable can only contain letters, digits and _')
    return `${name}=${value}`
  })
  const words = variables.length > 0 || isShellWord(program) ? ['env', ...variables, ...argv] : argv
  return words.map(quote).join(' ')
}

const renderPipe = (stages: Stages): string => {
  const [first, ...later] = stages
  if (first === undefined) throw new InvalidCommand('a pipe needs a stage')
  if (later.some(stage => stdinOf(stage) !== undefined)) {
    throw new InvalidCommand('only the first stage of a pipe can be given stdin')
  }
  if (later.length === 0) return renderAny(first)
  return `(set -o pipefail; ${stages.map(renderAny).join(' | ')})`
}

const renderInto = ({ file, command }: IntoCommand): string => {
  if (/^\/dev\/(tcp|udp)\//.test(file)) throw new InvalidCommand('bash would open the network instead of this file')
  const word = quote(file)
  // The file is made before the command starts, so that the narrow umask is not the command's own.
  return `{ (umask 077; [ -e ${word} ] || : > ${word}) && ${renderAny(command)} > ${word}; }`
}
