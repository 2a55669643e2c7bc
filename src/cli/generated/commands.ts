import { Argument, Command, Option } from 'commander'
import { call } from './call.ts'
import { type Field, fieldsOf, takesWholeBody } from './fields.ts'
import { type Group, type NamedEndpoint, nameEndpoints } from './names.ts'
import { parseValue } from './values.ts'

const PLACEHOLDERS: Record<Field['kind'], string> = {
  string: 'text',
  number: 'number',
  boolean: 'true|false',
  list: 'item',
  json: 'json',
}

const optionsFor = (field: Field): Option[] => {
  if (field.secret) {
    // Whoever needs it is always asked; who does not says so.
    const ask = new Option(`--with-${field.flag}`, `ask for ${field.name} (or read it from standard input)`)
    return field.required ? [] : [ask]
  }
  if (field.kind === 'boolean' && !field.nullable) {
    const yes = new Option(`--${field.flag}`, field.description)
    return [
      yes.makeOptionMandatory(field.required),
      new Option(`--no-${field.flag}`, `the opposite of --${field.flag}`),
    ]
  }
  const placeholder = field.choices.length > 0 && field.kind !== 'list' ? 'choice' : PLACEHOLDERS[field.kind]
  const option = new Option(`--${field.flag} <${placeholder}>`, field.description)
  if (field.choices.length > 0) option.choices(field.choices)
  option.argParser((text, before) => parseValue(field, text, before))
  return [option.makeOptionMandatory(field.required)]
}

const describe = ({ endpoint }: NamedEndpoint, fields: Field[]): string => {
  const secrets = fields.filter(field => field.secret && field.required).map(field => field.name)
  const asked = `Asks for ${secrets.join(' and ')}, or reads one per line from standard input.`
  const people = 'For people who are signed in: an API key is refused.'
  return [
    `${endpoint.summary}.`,
    ...(secrets.length > 0 ? [asked] : []),
    ...(endpoint.personOnly ? [people] : []),
    `${endpoint.method} ${endpoint.path}`,
  ].join('\n')
}

const addRunOptions = (command: Command, { endpoint }: NamedEndpoint): void => {
  command.optionsGroup('Options of every command:')
  command.option('--json', 'print the answer as JSON')
  if (endpoint.destructive) command.option('-y, --yes', 'do it without asking')
  if (endpoint.job) command.option('--no-wait', 'start the job and return at once')
  command.option('--url <address>', 'the panel to talk to (or FLEETPRESS_URL; its key in FLEETPRESS_KEY)')
  command.option('--timeout <seconds>', 'give up after this long', text => Number(text))
}

const endpointCommand = (named: NamedEndpoint): Command => {
  const fields = fieldsOf(named.endpoint)
  const command = new Command(named.verb).summary(named.endpoint.summary).description(describe(named, fields))
  for (const field of fields.filter(({ place }) => place === 'params')) {
    command.addArgument(new Argument(`<${field.name}>`, field.description))
  }
  const options = new Map<Option, Field>()
  for (const field of fields.filter(({ place }) => place !== 'params')) {
    for (const option of optionsFor(field)) {
      options.set(option, field)
      command.addOption(option)
    }
  }
  if (takesWholeBody(named.endpoint)) {
    command.requiredOption(
      '--body <json>',
      'the whole body: JSON, @FILE, or - for standard input (use these for secrets)',
    )
  }
  addRunOptions(command, named)
  return command.action(async () => {
    const given = new Map([...options].map(([option, field]) => [field, command.opts()[option.attributeName()]]))
    await call(named, fields, { words: command.args, given, options: command.opts() })
  })
}

const PURPOSES = 'Through the API, here or on another machine:'

/** One command per endpoint, under its noun; the endpoints of nouns nobody asked for are left out to start fast. */
export const addEndpoints = (program: Command, groups: readonly Group[], isWanted: (noun: string) => boolean): void => {
  const taken = program.commands.map(command => command.name())
  const named = nameEndpoints(groups, taken)
  program.commandsGroup(PURPOSES)
  for (const [noun, endpoints] of Map.groupBy(named, ({ noun }) => noun)) {
    const verbs = endpoints.map(({ verb }) => verb).join(', ')
    const command = program.command(noun).description(verbs).helpCommand(false)
    if (!isWanted(noun)) continue
    for (const endpoint of endpoints) command.addCommand(endpointCommand(endpoint).copyInheritedSettings(command))
  }
}
