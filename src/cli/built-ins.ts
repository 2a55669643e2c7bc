import { type Command, InvalidArgumentError, Option } from 'commander'
import { ACCESS } from '#platform/contract/level.ts'

/** First words that are looked up without loading the contracts; completion needs the whole tree. */
export const NEEDS_NO_CONTRACT = new Set(
  'up down status logs run test bench dev key admin snapshot restore -V --version'.split(' '),
)

const count = (text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

const yes = (): Option => new Option('-y, --yes', 'do it without asking')

const addPanel = (program: Command): void => {
  program.commandsGroup('The panel on this machine:')
  program
    .command('up')
    .description('start the panel and make this machine its first server, installing and building what is missing')
    .option('--detached', 'start it as a plain process, also where systemd runs')
    .option('--no-server', 'run the panel only; sites live on other machines (always so when you are not root)')
    .option('--domain <name>', 'publish the panel at this name through this machine, with a certificate')
    .option('--email <address>', 'where the certificate authority may write to')
    .action(async options => (await import('./commands/up.ts')).up(options))
  program
    .command('down')
    .description('stop the panel; what it runs elsewhere goes on')
    .action(async () => (await import('./commands/down.ts')).down())
  program
    .command('status')
    .description('say whether the panel runs, and where (exit code 0 running, 3 stopped)')
    .option('--json', 'print it as JSON')
    .action(async options => (await import('./commands/status.ts')).status(options))
  program
    .command('logs')
    .description("show the panel's log")
    .option('-f, --follow', 'go on as lines are written')
    .option('-n, --lines <count>', 'how many of the last lines', count, 100)
    .action(async options => (await import('./commands/logs.ts')).logs(options))
  program
    .command('run')
    .description('run the panel in the foreground until it is stopped')
    .action(async () => (await import('./commands/run.ts')).run())
}

const addAccess = (program: Command): void => {
  program.commandsGroup('Access and safe keeping, for who is root on this machine:')
  const key = program.command('key').description('API keys and the master key').helpCommand(false)
  key
    .command('create <name>')
    .description('make an API key; its token is printed this once')
    .addOption(new Option('--access <level>', 'what it may do').choices([...ACCESS]).makeOptionMandatory())
    .action(async (name, options) => (await import('./commands/key.ts')).createKey(name, options.access))
  key
    .command('export [file]')
    .description('write the master key to a file for safe keeping')
    .action(async file => (await import('./commands/key.ts')).exportKey(file))
  const admin = program.command('admin').description('people who sign in').helpCommand(false)
  admin
    .command('reset')
    .description(
      'take away the second factor of the owner and print a one-time link to a new password (or to make the owner)',
    )
    .action(async () => (await import('./commands/admin.ts')).resetOwner())
  program
    .command('snapshot')
    .description("write a consistent copy of the panel's own database")
    .option('--json', 'print it as JSON')
    .action(async options => (await import('./commands/snapshot.ts')).snapshot(options))
  program
    .command('restore <file>')
    .description("put a snapshot in the place of the panel's own database")
    .addOption(yes())
    .action(async (file, options) => (await import('./commands/restore.ts')).restore(file, options))
}

const addDevelopment = (program: Command): void => {
  program.commandsGroup('Development:')
  program
    .command('test [ring]')
    .description('run the tests: unit, slow, fleet, journeys, all (default) or soak')
    .action(async ring => (await import('./commands/test.ts')).test(ring))
  program
    .command('bench [name]')
    .description('run the measurements in bench/, or one of them')
    .action(async name => (await import('./commands/bench.ts')).bench(name))
  const dev = program.command('dev').description('servers to play with').helpCommand(false)
  dev
    .command('fleet <count|stop>')
    .description('start blank Debian servers in containers on this machine, or remove them')
    .option('--authorize <file>', "a public key that may sign in as root, such as the panel's; - reads it from stdin")
    .addOption(new Option('--suite <name>', 'which Debian').choices(['bookworm', 'trixie']).default('bookworm'))
    .option('--name <name>', 'to have more than one fleet', 'dev')
    .action(async (count, options) => (await import('./commands/dev.ts')).devFleet(count, options))
  const completion = program
    .command('completion')
    .description('print a script that completes commands and options')
    .helpCommand(false)
  for (const shell of ['bash', 'zsh'] as const) {
    completion
      .command(shell)
      .description(
        shell === 'bash' ? 'use: source <(./fleetpress completion bash)' : 'use: source <(./fleetpress completion zsh)',
      )
      .action(async () => (await import('./commands/completion.ts')).completion(shell, program))
  }
}

export const addBuiltIns = (program: Command): void => {
  addPanel(program)
  addAccess(program)
  addDevelopment(program)
}
