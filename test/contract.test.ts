import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { features } from '#app/features.ts'
import { openApi, openApiText } from '#app/openapi.ts'
import { renderReference } from '#app/reference-page.ts'
import { successStatuses } from '#platform/contract/endpoint.ts'
import { JobAccepted } from '#platform/contract/job.ts'
import { PROBLEM_STATUS } from '#platform/contract/problem.ts'
import { type AnyJobType, defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'
import { assertAnswer } from './generated/answers.ts'
import { bearer } from './generated/callers.ts'
import {
  differencesOf,
  faultsOfDocument,
  type Json,
  objectsIn,
  operationsIn,
  repeatedSchemas,
} from './generated/openapi-document.ts'
import { plant } from './generated/planted.ts'
import { plantedBytes } from './generated/planted-bytes.ts'
import { changing, served, servedBy, tried } from './generated/served.ts'
import { type TestPanel, testPanel } from './support/panel.ts'

const checkedIn = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
const HOW_TO_WRITE = 'Run `./fleetpress dev openapi` and look at what changed.'

const document = openApi()
const described = served.filter(({ group }) => group !== undefined)
const jsonOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** Objects of a schema that take fields they do not name. */
const openObjects = (schema: z.ZodType): string[] =>
  objectsIn(jsonOf(schema))
    .filter(({ value }) => value.properties !== undefined && value.additionalProperties !== false)
    .map(({ path }) => path)

/** Lists and texts without an end: each lets one request ask for any amount of work. */
const endless = (schema: z.ZodType): string[] =>
  objectsIn(jsonOf(schema))
    .filter(({ value }) => value.type === 'string' && value.enum === undefined && value.const === undefined)
    .filter(({ value }) => value.maxLength === undefined && !String(value.pattern).endsWith('}$'))
    .map(({ path }) => path)

/** How long the JSON of what a schema takes can be, with four bytes to a character. */
const longest = (schema: Json): number => {
  const lengths = (schemas: unknown) => (schemas as Json[]).map(longest)
  if (schema.const !== undefined) return JSON.stringify(schema.const).length
  if (schema.enum) return Math.max(...(schema.enum as unknown[]).map(value => JSON.stringify(value).length))
  if (schema.anyOf) return Math.max(...lengths(schema.anyOf))
  if (schema.items) return Number(schema.maxItems) * (longest(schema.items as Json) + 1)
  if (schema.properties)
    return Object.entries(schema.properties).reduce((sum, [name, field]) => sum + name.length + 4 + longest(field), 2)
  return [schema.type].flat().includes('string') ? Number(schema.maxLength ?? 100) * 4 + 2 : 25
}

describe('bodies', () => {
  it('can be left out of a POST that needs no field of them', () => {
    const needless = served.filter(
      ({ endpoint: { method, body, upload } }) =>
        method === 'POST' && body && !upload && body.safeParse({}).success && !body.safeParse(undefined).success,
    )
    assert.deepEqual(
      needless.map(({ id }) => id),
      [],
      'add .prefault({}) to their bodies',
    )
  })
})

describe('openapi.json', () => {
  it('is what the contracts say', () => {
    assert.ok(checkedIn === openApiText(), `openapi.json is not what the contracts say. ${HOW_TO_WRITE}`)
  })

  it('is valid OpenAPI 3.1', () => {
    assert.deepEqual(faultsOfDocument(document), [])
  })

  it('describes every endpoint of the API, and nothing else', context => {
    assert.deepEqual(
      described.flatMap(one => differencesOf(document, one)),
      [],
    )
    assert.deepEqual(
      operationsIn(document)
        .map(({ operation }) => String(operation.operationId))
        .toSorted(),
      described.map(({ id }) => id).toSorted(),
    )
    context.diagnostic(`${described.length} operations`)
  })

  it('says everything once, and is as short as that allows', () => {
    assert.deepEqual(repeatedSchemas(document, 60), [])
    assert.ok(JSON.stringify(document).length < 1800 * described.length, 'more than 1800 characters an endpoint')
  })

  it('describes endpoints that carry bytes', () => {
    const withBytes = openApi(tried)
    assert.deepEqual(faultsOfDocument(withBytes), [])
    assert.deepEqual(
      servedBy([plantedBytes()]).flatMap(one => differencesOf(withBytes, one)),
      [],
    )
    const { html } = renderReference(tried)
    assert.match(html, /id="plantedFileWrite"[^]*octet-stream[^]*8388608 bytes[^]*If-Match/)
    assert.match(html, /id="plantedForm"[^]*in the part <code>file<\/code>/)
  })

  it('names the status of a success, and one answer with all thirteen errors', () => {
    const { responses } = document.components as { responses: Record<string, Json> }
    for (const [code, status] of Object.entries(PROBLEM_STATUS))
      assert.ok(String(responses.Problem?.description).includes(`${code} (${status})`), code)
    for (const { operation } of operationsIn(document)) {
      const one = described.find(({ id }) => id === operation.operationId)
      assert.ok(one)
      const statuses = Object.keys(operation.responses as Json)
      assert.deepEqual(
        statuses.toSorted(),
        [...successStatuses(one.endpoint).map(String), 'default'].toSorted(),
        one.id,
      )
    }
  })

  it('says for each job that the answer is 202 with a Location', () => {
    for (const { id, endpoint } of served.filter(({ endpoint }) => endpoint.job && endpoint.job !== 'many')) {
      assert.ok(successStatuses(endpoint).includes(202), id)
      assert.ok('job' in (jsonOf(endpoint.reply ?? z.null()).properties as Json), `${id} does not answer with its job`)
      const { operation } = operationsIn(document).find(one => one.operation.operationId === id) ?? {}
      const accepted = (operation?.responses as Record<string, Json> | undefined)?.['202']
      assert.ok(accepted && 'Location' in (accepted.headers as Json), `${id}: no Location in openapi.json`)
    }
  })

  it('is not taken for valid when something is missing', () => {
    const broken = (change: (copy: Json) => void): string[] => {
      const copy = structuredClone(document)
      change(copy)
      return faultsOfDocument(copy)
    }
    const health = (copy: Json) => ((copy.paths as Json)['/api/health'] as Json).get as Json
    assert.match(broken(copy => void (copy.openapi = '3.0.3')).join(), /not 3\.1/)
    assert.match(
      broken(copy => void (health(copy).operationId = 'overview')).join(),
      /two operations are called overview/,
    )
    assert.match(broken(copy => void delete health(copy).responses).join(), /no answer that is a success/)
    assert.match(broken(copy => void delete (copy.components as Json).schemas).join(), /does not exist/)
    assert.match(broken(copy => void (health(copy).security = [{ magic: [] }])).join(), /no security scheme magic/)
    assert.match(broken(copy => void (health(copy).parameters = [{ in: 'path', name: 'x' }])).join(), /path parameters/)
    const lie = structuredClone(document)
    health(lie)['x-level'] = 'full'
    assert.match(described.flatMap(one => differencesOf(lie, one)).join(), /health: x-level is "full", not "none"/)
  })
})

describe('every contract', () => {
  it('has bodies that take no unknown field, at any depth', () => {
    for (const { id, endpoint } of changing)
      if (endpoint.body) assert.deepEqual(openObjects(endpoint.body), [], `${id} takes fields it does not name`)
    const loose = z.strictObject({ a: z.array(z.union([z.null(), z.object({ b: z.string() })])) })
    assert.deepEqual(openObjects(loose), ['#/properties/a/items/anyOf/1'])
  })

  it('says how long every text of a request may be', () => {
    for (const { id, endpoint } of served) {
      for (const part of ['params', 'query', 'body'] as const)
        if (endpoint[part]) assert.deepEqual(endless(endpoint[part]), [], `${id}: a text of any length in ${part}`)
    }
    assert.deepEqual(endless(z.strictObject({ a: z.string() })), ['#/properties/a'])
  })

  it('has schemas of bodies that fit into the longest body it takes', () => {
    for (const { id, endpoint } of served) {
      const most = endpoint.maxBodyBytes ?? (endpoint.level === 'none' ? 16_384 : 65_536)
      if (endpoint.body) assert.ok(longest(jsonOf(endpoint.body)) <= most, `${id} needs a larger maxBodyBytes`)
    }
    assert.equal(longest(jsonOf(z.strictObject({ a: z.array(z.string().max(10)).max(3) }))), 2 + 5 + 3 * 43)
  })

  it('takes every placeholder of its path, and no other', () => {
    for (const { id, endpoint } of served) {
      const placeholders = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      assert.deepEqual(Object.keys(endpoint.params?.shape ?? {}), placeholders, id)
    }
  })

  it('has a summary: one sentence without its full stop', () => {
    for (const { id, endpoint } of served) {
      assert.ok(endpoint.summary.length > 10, `${id} has no summary`)
      assert.match(endpoint.summary, /^[A-Z'"].*[^.]$/, `${id}: ${endpoint.summary}`)
    }
  })

  it('gives bytes only as a type that no browser runs', () => {
    for (const { id, endpoint } of served)
      if (endpoint.download) assert.match(endpoint.download.type, /^application\/(?:octet-stream|gzip|zip|x-tar)$/, id)
  })

  it('takes no body with a GET', () => {
    assert.deepEqual(
      served
        .filter(({ endpoint }) => endpoint.method === 'GET' && (endpoint.body || endpoint.upload))
        .map(({ id }) => id),
      [],
    )
  })
})

const noop = defineJob<Record<string, never>, Record<string, never>, Record<string, never>>({
  type: 'test.noop',
  label: 'Nothing',
  description: 'Does nothing.',
  category: 'test',
  timeoutMs: 60_000,
  input: z.strictObject({}),
  result: z.strictObject({}),
  target: () => ({}),
  lanes: () => [namedLane('test')],
  steps: [],
  finish: () => ({}),
})

const planted = plant(
  {
    plantedJob: {
      method: 'POST',
      path: '/api/planted',
      level: 'manage',
      job: true,
      summary: 'Does nothing, later',
      reply: JobAccepted,
    },
  },
  { plantedJob: async (_, scope) => ({ job: await scope.jobs.enqueue(noop, {}) }) },
  { jobs: [noop as unknown as AnyJobType] },
)

describe('the panel', () => {
  let panel: TestPanel
  before(async () => {
    panel = await testPanel({ features: [...features, planted] })
  })
  after(() => panel.stop())

  it('answers with its own description at /api/openapi.json', async () => {
    const answer = await panel.ask('/api/openapi.json')
    assert.equal(answer.status, 200)
    assertAnswer(answer, 'openapi.json')
    assert.deepEqual(answer.json(), JSON.parse(checkedIn))
  })

  it('has every operation on its reference page', async () => {
    const answer = await panel.ask('/docs')
    assert.equal(answer.status, 200)
    assertAnswer(answer, '/docs')
    for (const { id, endpoint } of described) {
      assert.ok(answer.text.includes(`id="${id}"`), `${id} is not on the page`)
      assert.ok(answer.text.includes(`<code>${endpoint.path}</code>`), `${endpoint.path} is not on the page`)
    }
    assert.doesNotMatch(answer.text, /<script(?! src="\/docs\.js" defer>)|javascript:|\son\w+=/)
  })

  it('answers with 202, the job and where to poll it when an endpoint starts one', async () => {
    const headers = bearer(panel.token.manage)
    const answer = await panel.ask('/api/planted', { method: 'POST', headers })
    assert.equal(answer.status, 202)
    const { job } = JobAccepted.parse(answer.json())
    assert.equal(answer.headers.location, `/api/jobs/${job.id}`)
    const polled = await panel.ask(`/api/jobs/${job.id}`, { headers })
    assert.equal(polled.status, 200)
    const row = await panel.foundation.database.db
      .selectFrom('activity')
      .select('job_id')
      .where('endpoint', '=', 'plantedJob')
      .executeTakeFirst()
    assert.equal(row?.job_id, job.id, 'the activity log does not say which job it started')
  })
})
