import { Command, CommanderError } from 'commander'
import { addBuiltIns, NEEDS_NO_CONTRACT } from './built-ins.ts'
import { EXIT, errnoOf, Failure, messageOf } from './failure.ts'
import { plainText } from './plain-text.ts'
import { readVersion } from './repository.ts'
import { coloursFor, isFancy, say } from './terminal.ts'

const newProgram = (): Command => {
  const program = new Command('fleetpress')
    .description('A control panel for a fleet of servers that host WordPress sites.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError('Add --help to see its options.')
    .configureOutput({
      getOutHasColors: () => isFancy(process.stdout),
      getErrHasColors: () => isFancy(process.stderr),
    })
    .exitOverride()
  addBuiltIns(program)
  return program
}

/** The tree with one command per endpoint. */
export const programWithEndpoints = async (isWanted: (noun: string) => boolean): Promise<Command> => {
  const program = newProgram()
  const { groups } = await import('#app/contract.ts')
  const { addEndpoints } = await import('./generated/commands.ts')
  addEndpoints(program, groups, isWanted)
  return program
}

const NEEDS_ALL = ['completion', 'help']

/** Contracts are loaded only when the first word is not a command of this machine. */
const programFor = ([first = '']: string[]): Promise<Command> | Command =>
  NEEDS_NO_CONTRACT.has(first)
    ? newProgram()
    : programWithEndpoints(noun => noun === first || NEEDS_ALL.includes(first))

const explain = async (error: unknown): Promise<{ message: string; exitCode: number }> => {
  if (error instanceof Failure) return { message: error.message, exitCode: error.exitCode }
  const { ConfigError } = await import('#platform/config/config.ts')
  if (error instanceof ConfigError) return { message: error.message, exitCode: EXIT.config }
  const { Problem } = await import('#platform/contract/problem.ts')
  if (error instanceof Problem) return { message: error.message, exitCode: EXIT.failure }
  if (['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) {
    const message = `Permission denied (${messageOf(error)}): run it as root, for example with sudo.`
    return { message, exitCode: EXIT.failure }
  }
  const { unwritableReason } = await import('#platform/db/unwritable.ts')
  const reason = unwritableReason(error)
  if (reason !== undefined) return { message: `${reason} (${messageOf(error)})`, exitCode: EXIT.failure }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message: `Internal error. Please report this: ${trace}`, exitCode: EXIT.failure }
}

export const runCli = async (argv: string[]): Promise<number> => runProgram(programFor(argv), argv)

/** Runs one command; whatever goes wrong becomes a sentence and an exit code. */
export const runProgram = async (made: Promise<Command> | Command, argv: string[]): Promise<number> => {
  // A reader that has seen enough, such as head, closes the pipe: that is not a failure of ours.
  process.stdout.on('error', error => process.exit(errnoOf(error) === 'EPIPE' ? EXIT.ok : EXIT.failure))
  try {
    const program = await made
    if (argv.length === 0) program.outputHelp()
    else await program.parseAsync(argv, { from: 'user' })
    return Number(process.exitCode ?? EXIT.ok)
  } catch (error) {
    // Commander has said what is wrong already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const { message, exitCode } = await explain(error)
    say(coloursFor(process.stderr).red(plainText(message)))
    return exitCode
  }
}
