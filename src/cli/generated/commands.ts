import { Argument, Command, Option } from 'commander'
import { call } from './call.ts'
import { type Field, fieldsOf, givesList, takesWholeBody } from './fields.ts'
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
    // Those who need it are always prompted; others pass a flag.
    const ask = new Option(`--with-${field.flag}`, `prompt for ${field.name} (or read it from standard input)`)
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
  const asked = `Prompts for ${secrets.join(' and ')}, or reads one per line from standard input.`
  const people = 'For signed-in people only. API keys are refused.'
  return [
    `${endpoint.summary}.`,
    ...(secrets.length > 0 ? [asked] : []),
    ...(endpoint.personOnly ? [people] : []),
    `${endpoint.method} ${endpoint.path}`,
  ].join('\n')
}

const addBytesOptions = (command: Command, { endpoint }: NamedEndpoint): void => {
  if (endpoint.upload) command.option('--file <path>', 'the file to send; default or -: standard input')
  if (endpoint.download) {
    const resumes = endpoint.download.ranges ? ', resuming an earlier attempt' : ''
    command.option('-o, --output <path>', `where to save it${resumes}; default or -: standard output`)
  }
  if (endpoint.conditional) {
    command.option('--if-match <etag>', 'only if it still has this ETag')
    command.option('--create-only', "only if it doesn't exist yet")
  }
}

const addRunOptions = (command: Command, { endpoint }: NamedEndpoint): void => {
  command.optionsGroup('Options for every command:')
  if (!endpoint.download) command.option('--json', 'print the response as JSON')
  if (givesList(endpoint)) {
    command.option('--wide', 'show every column, however long the lines get')
    command.option('--columns <names>', 'show these columns, such as slug,status', text => text.split(','))
  }
  if (endpoint.destructive) command.option('-y, --yes', 'skip the confirmation')
  if (endpoint.job) command.option('--no-wait', 'start the job and return immediately')
  command.option('--url <address>', 'the panel to use (or FLEETPRESS_URL; its key in FLEETPRESS_KEY)')
  command.option('--timeout <seconds>', 'stop waiting after this time', text => Number(text))
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
  addBytesOptions(command, named)
  addRunOptions(command, named)
  return command.action(async () => {
    const given = new Map([...options].map(([option, field]) => [field, command.opts()[option.attributeName()]]))
    await call(named, fields, { words: command.args, given, options: command.opts() })
  })
}

const PURPOSES = 'API commands, for this or another machine:'

/** One command per endpoint, under its noun; the endpoints of nouns no one asked for are left out to start fast. */
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
