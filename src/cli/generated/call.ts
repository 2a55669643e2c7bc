import { readFileSync } from 'node:fs'
import type { AnyArgs } from '#platform/contract/client.ts'
import { startedJob } from '#platform/contract/endpoint.ts'
import { confirm, readSecrets, readStandardInput } from '../ask.ts'
import { EXIT, Failure } from '../failure.ts'
import { plainJson } from '../plain-text.ts'
import { out, say } from '../terminal.ts'
import { connect } from './connection.ts'
import { download } from './download.ts'
import type { Field } from './fields.ts'
import { followJob } from './follow-job.ts'
import type { NamedEndpoint } from './names.ts'
import { show } from './show.ts'
import { upload } from './upload.ts'

/** Options every generated command has. */
export interface RunOptions {
  json?: boolean
  yes?: boolean
  wait?: boolean
  url?: string
  timeout?: number
  body?: string
  file?: string
  output?: string
  ifMatch?: string
  createOnly?: boolean
  wide?: boolean
  columns?: string[]
  [flag: string]: unknown
}

export interface Given {
  words: string[]
  given: Map<Field, unknown>
  options: RunOptions
}

const readBody = async (text: string): Promise<unknown> => {
  const json =
    text === '-' ? await readStandardInput() : text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text
  try {
    return JSON.parse(json)
  } catch {
    throw new Failure('The body must be JSON. Pass it with --body, as @FILE, or as - on standard input.', EXIT.usage)
  }
}

const isAsked = (field: Field, { given }: Given): boolean =>
  field.secret && (field.required || given.get(field) === true)

const collect = (fields: Field[], place: Field['place'], values: (field: Field) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(field => field.place === place)
      .map(field => [field.name, values(field)] as const)
      .filter(([, value]) => value !== undefined),
  )

/** A word that would change which address is called is refused here already. */
const segment = (field: Field, word: string): string => {
  if (!['', '.', '..'].includes(word)) return word
  throw new Failure(`${JSON.stringify(word)} is not a valid ${field.name}. Use one as the API returned it.`, EXIT.usage)
}

const queryText = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(queryText).join(',') : JSON.stringify(value)

const argumentsOf = async ({ endpoint }: NamedEndpoint, fields: Field[], said: Given): Promise<AnyArgs> => {
  const secrets = await readSecrets(fields.filter(field => isAsked(field, said)).map(field => field.name))
  const valueOf = (field: Field) => (field.secret ? secrets[field.name] : said.given.get(field))
  const body = collect(fields, 'body', valueOf)
  const whole = said.options.body === undefined ? body : await readBody(said.options.body)
  const params = fields.filter(field => field.place === 'params')
  const query = collect(fields, 'query', valueOf)
  return {
    params: Object.fromEntries(params.map((field, at) => [field.name, segment(field, said.words[at] ?? '')])),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, queryText(value)])),
    ...(endpoint.body === undefined ? {} : { body: whole }),
    ...(said.options.ifMatch === undefined ? {} : { ifMatch: said.options.ifMatch }),
    ...(said.options.createOnly ? { ifNoneMatch: '*' } : {}),
  }
}

const jobIdIn = (answer: unknown): string => {
  const job: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'job') : undefined
  const id: unknown = typeof job === 'object' && job !== null ? Reflect.get(job, 'id') : undefined
  if (typeof id !== 'string') throw new Failure('The panel returned no job. Is it the same version?')
  return id
}

/** What a pipe or a file gets; `--wide` and `--json` have more. */
const PIPE_WIDTH = 100

const print = (answer: unknown, options: RunOptions): void => {
  if (options.json) return out(plainJson(answer ?? null))
  const notes: string[] = []
  const width = options.wide ? undefined : (process.stdout.columns ?? PIPE_WIDTH)
  for (const line of show(answer, { width, columns: options.columns, notes })) out(line)
  for (const note of notes) say(note)
}

/** Runs one endpoint as the command line said, and shows what it answers. */
export const call = async (named: NamedEndpoint, fields: Field[], said: Given): Promise<void> => {
  const { endpoint } = named
  const { options } = said
  if (options.timeout !== undefined && !(options.timeout > 0)) {
    throw new Failure('--timeout takes a number of seconds above 0.', EXIT.usage)
  }
  if (endpoint.destructive) await confirm(`${endpoint.summary}.`, options.yes === true)
  const args = await argumentsOf(named, fields, said)
  const connection = await connect(options.url, endpoint.level !== 'none', options.timeout)
  if (endpoint.download) return download(connection, endpoint, args, options.output)
  const answer = endpoint.upload
    ? await upload(connection, { ...endpoint, upload: endpoint.upload }, args, options.file)
    : await connection.call(endpoint, args)
  if (startedJob(endpoint, answer) === null || options.wait === false) return print(answer, options)
  const job = await followJob(connection, jobIdIn(answer), options.timeout)
  if (options.json) print({ job }, options)
  else if (job.result !== null && job.result !== undefined) print(job.result, options)
  if (job.status !== 'succeeded') process.exitCode = EXIT.failure
}
