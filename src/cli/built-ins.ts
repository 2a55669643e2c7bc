import { type Command, InvalidArgumentError, Option } from 'commander'
import { ACCESS } from '#platform/contract/level.ts'

/** First words that are looked up without loading the contracts; completion needs the whole tree. */
export const NEEDS_NO_CONTRACT = new Set(
  'up down status logs run update release test bench dev key admin snapshot restore -V --version'.split(' '),
)

const count = (text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

const yes = (): Option => new Option('-y, --yes', 'skip the confirmation')

const addPanel = (program: Command): void => {
  program.commandsGroup('The panel on this machine:')
  program
    .command('up')
    .description('install, build and start the panel, and set up this machine as its first server')
    .option('--detached', 'run it as a plain process, even if systemd is available')
    .option('--no-server', 'run the panel only, with sites on other machines (always when you are not root)')
    .option('--domain <name>', 'publish the panel at this domain, with a certificate')
    .option('--email <address>', 'the certificate authority sends notices here')
    .action(async options => (await import('./commands/up.ts')).up(options))
  program
    .command('down')
    .description('stop the panel; sites and servers keep running')
    .action(async () => (await import('./commands/down.ts')).down())
  program
    .command('status')
    .description('show whether the panel is running, and where (exit code 0: running, 3: stopped)')
    .option('--json', 'print it as JSON')
    .action(async options => (await import('./commands/status.ts')).status(options))
  program
    .command('logs')
    .description("show the panel's log")
    .option('-f, --follow', 'follow new lines')
    .option('-n, --lines <count>', 'number of lines to show', count, 100)
    .action(async options => (await import('./commands/logs.ts')).logs(options))
  program
    .command('run')
    .description('run the panel in the foreground until it is stopped')
    .action(async () => (await import('./commands/run.ts')).run())
  program
    .command('update')
    .argument('[version]', 'a version of the release feed; default: the newest')
    .description('update the panel to a release; it goes back by itself if the new version fails')
    .addOption(yes())
    .addOption(new Option('--id <id>', 'the update that the panel has written down').hideHelp())
    .addOption(new Option('--settle', 'only end an interrupted update').hideHelp())
    .action(async (version, options) => (await import('./commands/update.ts')).update(version, options))
}

const addRelease = (program: Command): void => {
  const release = program.command('release').description('build and sign releases of Fleetpress').helpCommand(false)
  release
    .command('key')
    .argument('<file>', 'where to write the private key')
    .description('create a release key; its public half belongs in the source')
    .option('--trust', 'add its public half to the keys that this copy trusts')
    .action(async (file, options) => (await import('./commands/release.ts')).createReleaseKey(file, options))
  release
    .command('build')
    .argument('<folder>', 'where the feed and its archives are')
    .description('pack this version and add it to a signed feed')
    .option('--key <file>', 'the private key; without it, the feed is left to `release sign`')
    .option('--notes <file>', 'what is new, as plain text')
    .action(async (folder, options) => (await import('./commands/release.ts')).buildRelease(folder, options))
  release
    .command('sign')
    .argument('<folder>', 'where the feed is')
    .description('sign a feed that was built without the key')
    .requiredOption('--key <file>', 'the private key')
    .action(async (folder, options) => (await import('./commands/release.ts')).signRelease(folder, options))
  release
    .command('trial', { hidden: true })
    .argument('<snapshot>', 'a copy of the database to start with')
    .action(async file => (await import('./commands/release.ts')).tryRelease(file))
}

const addAccess = (program: Command): void => {
  program.commandsGroup('Access and backups, for root on this machine:')
  const key = program.command('key').description('API keys and the master key').helpCommand(false)
  key
    .command('create')
    .argument('<name>', 'what people call the key')
    .description('create an API key; its token is printed only once')
    .addOption(new Option('--access <level>', 'access level').choices([...ACCESS]).makeOptionMandatory())
    .action(async (name, options) => (await import('./commands/key.ts')).createKey(name, options.access))
  key
    .command('export')
    .argument('[file]', 'where to write it; default: fleetpress-master.key')
    .description('write the master key to a file, as a backup')
    .action(async file => (await import('./commands/key.ts')).exportKey(file))
  const admin = program.command('admin').description('admin accounts').helpCommand(false)
  admin
    .command('reset')
    .description(
      "reset the owner's second factor and print a one-time link to set a new password (or to create the owner)",
    )
    .action(async () => (await import('./commands/admin.ts')).resetOwner())
  program
    .command('snapshot')
    .description("create a snapshot of the panel's database")
    .option('--json', 'print it as JSON')
    .action(async options => (await import('./commands/snapshot.ts')).snapshot(options))
  program
    .command('restore')
    .argument('<file>', 'the snapshot')
    .description("replace the panel's database with a snapshot")
    .addOption(yes())
    .action(async (file, options) => (await import('./commands/restore.ts')).restore(file, options))
}

const addDev = (program: Command): void => {
  const dev = program.command('dev').description('test servers and generated files').helpCommand(false)
  dev
    .command('fleet')
    .argument('<count|stop>', 'how many servers to start, or stop to remove them')
    .description('start blank Debian servers in containers on this machine, or remove them')
    .option('--authorize <file>', "a public key that can sign in as root, such as the panel's; - reads it from stdin")
    .addOption(new Option('--suite <name>', 'Debian release').choices(['bookworm', 'trixie']).default('bookworm'))
    .option('--name <name>', 'name of the fleet, to run more than one', 'dev')
    .action(async (count, options) => (await import('./commands/dev.ts')).devFleet(count, options))
  dev
    .command('openapi')
    .description('write openapi.json from the contracts')
    .action(async () => (await import('./commands/dev.ts')).devOpenApi())
  dev
    .command('hooks')
    .description('write the table of docs/hooks.md from the code')
    .action(async () => (await import('./commands/dev.ts')).devHooks())
}

const addDevelopment = (program: Command): void => {
  program.commandsGroup('Development:')
  program
    .command('test')
    .argument('[ring]', 'quick, unit, slow, fleet, journeys or soak; default: all but soak')
    .description('run the tests: quick, unit, slow, fleet, journeys, all (default) or soak')
    .action(async ring => (await import('./commands/test.ts')).test(ring))
  program
    .command('bench')
    .argument('[name]', 'which one; default: all')
    .description('run all benchmarks in bench/, or one of them')
    .action(async name => (await import('./commands/bench.ts')).bench(name))
  addRelease(program)
  addDev(program)
  const completion = program.command('completion').description('print a shell completion script').helpCommand(false)
  for (const shell of ['bash', 'zsh'] as const) {
    completion
      .command(shell)
      .description(
        shell === 'bash'
          ? 'usage: source <(./fleetpress completion bash)'
          : 'usage: source <(./fleetpress completion zsh)',
      )
      .action(async () => (await import('./commands/completion.ts')).completion(shell, program))
  }
}

export const addBuiltIns = (program: Command): void => {
  addPanel(program)
  addAccess(program)
  addDevelopment(program)
}
