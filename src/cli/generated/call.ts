import { readFileSync } from 'node:fs'
import type { AnyArgs } from '#platform/contract/client.ts'
import { startedJob } from '#platform/contract/endpoint.ts'
import { confirm, readSecrets, readStandardInput } from '../ask.ts'
import { EXIT, Failure } from '../failure.ts'
import { plainJson } from '../plain-text.ts'
import { out } from '../terminal.ts'
import { connect } from './connection.ts'
import type { Field } from './fields.ts'
import { followJob } from './follow-job.ts'
import type { NamedEndpoint } from './names.ts'
import { show } from './show.ts'

/** Options every generated command has. */
export interface RunOptions {
  json?: boolean
  yes?: boolean
  wait?: boolean
  url?: string
  timeout?: number
  body?: string
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
    throw new Failure('The body must be JSON: give it after --body, as @FILE, or as - on standard input.', EXIT.usage)
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
  throw new Failure(`${JSON.stringify(word)} is no ${field.name}: give one as the API returned it.`, EXIT.usage)
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
  }
}

const jobIdIn = (answer: unknown): string => {
  const job: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'job') : undefined
  const id: unknown = typeof job === 'object' && job !== null ? Reflect.get(job, 'id') : undefined
  if (typeof id !== 'string') throw new Failure('The panel answered without a job: is it of the same version?')
  return id
}

const print = (answer: unknown, options: RunOptions): void => {
  if (options.json) return out(plainJson(answer ?? null))
  for (const line of show(answer, process.stdout.isTTY ? process.stdout.columns : undefined)) out(line)
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
  const answer = await connection.call(endpoint, args)
  if (startedJob(endpoint, answer) === null || options.wait === false) return print(answer, options)
  const job = await followJob(connection, jobIdIn(answer), options.timeout)
  if (options.json) print({ job }, options)
  else if (job.result !== null && job.result !== undefined) print(job.result, options)
  if (job.status !== 'succeeded') process.exitCode = EXIT.failure
}
