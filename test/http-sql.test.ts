import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { type AnyArgs, callUrl } from '#platform/contract/client.ts'
import { SearchText } from '#platform/contract/identifiers.ts'
import type { Feature } from '#platform/feature.ts'
import { faultsOfAnswer } from './generated/answers.ts'
import { sampleArgs } from './generated/arbitrary.ts'
import { type Callers, callersOf, type Headers } from './generated/callers.ts'
import { hurriedClock } from './generated/clock.ts'
import { rowCounts } from './generated/database-state.ts'
import { inputsOf, withInput } from './generated/inputs.ts'
import { SQL } from './generated/payloads.ts'
import { plant } from './generated/planted.ts'
import { LITERAL_LABELS, populatedPanel } from './generated/populated.ts'
import { sentBody } from './generated/sent-body.ts'
import { changing, reading, type Served, served, servedBy, tried } from './generated/served.ts'
import { ENGINES, type Engine, OWNER, type TestPanel } from './support/panel.ts'
import { SOAK } from './support/soak.ts'

/** Longer than any answer takes, shorter than the payloads that sleep. */
const TOO_LONG_MS = 4000

/** What an author in a hurry would write: text as part of the statement, and a pattern that is not escaped. */
const careless: Feature = plant(
  {
    plantedText: {
      method: 'GET',
      path: '/api/planted',
      level: 'read-only',
      summary: 'x',
      query: z.object({ name: z.string().optional() }),
      reply: z.unknown(),
    },
    plantedPattern: {
      method: 'GET',
      path: '/api/planted-pattern',
      level: 'read-only',
      summary: 'x',
      query: z.object({ q: SearchText.optional() }),
      reply: z.unknown(),
    },
  },
  {
    plantedText: async ({ query }, scope) => {
      const { rows } = await sql.raw(`select id from admin where name = '${query.name ?? ''}'`).execute(scope.db)
      return { items: rows }
    },
    plantedPattern: async ({ query }, scope) => {
      const found = sql<SqlBool>`label like ${`%${query.q ?? ''}%`}`
      return { items: await scope.db.selectFrom('job').select('label').where(found).execute() }
    },
  },
)

const plantedEndpoints = servedBy([careless])

interface Target {
  panel: TestPanel
  /** Which of these payloads an input gets: a few, the next ones each time. */
  chosen(payloads: readonly string[]): readonly string[]
  callers: Callers
}

/** With the caller's own password right, so that what comes after it is reached too. */
const validArgs = ({ endpoint }: Served): AnyArgs => {
  const args = sampleArgs(endpoint)
  const isAsked = endpoint.body instanceof z.ZodObject && 'password' in endpoint.body.shape && endpoint.personOnly
  return isAsked ? withInput(args, { part: 'body', path: ['password'] }, OWNER.password) : args
}

const judge = async (about: string, ask: () => ReturnType<TestPanel['ask']>): Promise<string[]> => {
  const started = performance.now()
  const answer = await ask()
  const slow = performance.now() - started > TOO_LONG_MS ? [`${about}: slept`] : []
  // Services elsewhere do not respond in tests.
  const broken =
    answer.status >= 500 && answer.status !== 502 ? [`${about}: ${answer.status} ${answer.text.slice(0, 200)}`] : []
  return [...slow, ...broken, ...faultsOfAnswer(answer, about)]
}

/** How many payloads an input gets; where it gets several, one of them ends any text that was put into a statement. */
const PER_INPUT: Record<Engine, number> = { sqlite: 2, postgres: 1 }

const chooser = (engine: Engine): Target['chosen'] => {
  let turn = 0
  return all => {
    if (SOAK) return all
    turn += 1
    const size = PER_INPUT[engine]
    const some = Array.from({ length: size }, (_, at) => all[(turn * size + at) % all.length] ?? '')
    return size === 1 ? some : [...new Set([...all.slice(0, 1), ...some])]
  }
}

/** The chosen payloads in every input of an endpoint; returns what went wrong. */
const sweepInputs = async (
  { panel, callers, chosen }: Target,
  one: Served,
  payloads: readonly string[],
): Promise<string[]> => {
  const { id, endpoint } = one
  const headers = endpoint.personOnly ? callers.person : endpoint.level === 'none' ? {} : callers.full
  const wrong: string[] = []
  for (const input of inputsOf(endpoint)) {
    for (const payload of chosen(payloads)) {
      const args = withInput(validArgs(one), input, payload)
      const { headers: type, ...body } = sentBody(endpoint, args.body)
      const asked = { method: endpoint.method, headers: { ...type, ...headers }, ...body }
      const about = `${id} ${input.part}.${input.path.join('.')} = ${payload}`
      wrong.push(...(await judge(about, () => panel.ask(callUrl(endpoint, args), asked))))
    }
  }
  return wrong
}

const sweep = async (target: Target, those: readonly Served[], payloads: readonly string[] = SQL) => {
  const { db } = target.panel.foundation.database
  const owner = await db.selectFrom('admin').selectAll().where('owner', '=', 1).executeTakeFirstOrThrow()
  const wrong: string[] = []
  for (const one of those) {
    wrong.push(...(await sweepInputs(target, one, payloads)))
    await db.updateTable('admin').set(owner).where('id', '=', owner.id).execute()
  }
  return wrong
}

/** Where requests are written down, and what is looked up by them. */
const HEADERS: Record<string, (payload: string, caller: Headers) => Headers> = {
  'User-Agent': (payload, caller) => ({ ...caller, 'user-agent': payload }),
  'X-Request-Id': (payload, caller) => ({ ...caller, 'x-request-id': payload }),
  Authorization: payload => ({ authorization: `Bearer ${payload}` }),
  'Authorization, whole': payload => ({ authorization: payload }),
  Cookie: payload => ({ cookie: `__Host-fleetpress=${encodeURIComponent(payload)}` }),
  'Cookie, whole': payload => ({ cookie: payload }),
  'X-CSRF-Token': (payload, caller) => ({ ...caller, 'x-csrf-token': payload }),
  Origin: (payload, caller) => ({ ...caller, origin: payload }),
  'X-Forwarded-For': (payload, caller) => ({ ...caller, 'x-forwarded-for': payload }),
}

const sweepHeaders = async ({ panel, callers }: Target): Promise<string[]> => {
  const wrong: string[] = []
  const login = { email: OWNER.email, password: OWNER.password }
  for (const [name, headersOf] of Object.entries(HEADERS)) {
    for (const payload of SQL) {
      const asks = [
        ['/api/auth/session', { headers: headersOf(payload, callers.person) }],
        ['/api/auth/logout', { method: 'POST', headers: headersOf(payload, callers.full) }],
        [`/api/${encodeURIComponent(payload)}?${encodeURIComponent(payload)}=1`, { headers: callers.full }],
      ] as const
      for (const [path, asked] of asks)
        wrong.push(...(await judge(`${name}: ${payload}`, () => panel.ask(path, asked))))
    }
    const asked = { method: 'POST', headers: headersOf(SQL[0] ?? '', {}), body: login }
    wrong.push(...(await judge(`${name} at login`, () => panel.ask('/api/auth/login', asked))))
  }
  return wrong
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** What the panel itself searches; within a site, WordPress or ripgrep does, and WordPress.org among its plugins. */
const searchable = (those: readonly Served[]) =>
  those.filter(
    ({ id, endpoint }) =>
      id !== 'pluginSearch' &&
      endpoint.method === 'GET' &&
      !endpoint.path.includes(':') &&
      endpoint.query &&
      'q' in endpoint.query.shape,
  )

const search = async ({ panel, callers }: Target, { endpoint }: Served, q: string): Promise<unknown[]> => {
  const answer = await panel.ask(callUrl(endpoint, { query: { q } }), { headers: callers.full })
  assert.equal(answer.status, 200, answer.text)
  return (answer.json() as { items: unknown[] }).items
}

/** Found rows in which the text that was searched for does not stand. */
const notLiteral = async (target: Target, one: Served, q: string): Promise<string[]> => {
  const items = await search(target, one, q)
  const strange = items.filter(item => !textsIn(item).some(text => text.toLowerCase().includes(q.toLowerCase())))
  return [
    ...(items.length === 0 ? [`${one.id}: ${q} found nothing`] : []),
    ...strange.map(item => `${one.id}: ${q} found ${JSON.stringify(item).slice(0, 100)}`),
  ]
}

const PATTERNS = ['%', '_', '\\', "'", '"', '100%', 'a_b', 'c\\d', "it's", 'say "hi"']

for (const engineName of ENGINES) {
  describe(`SQL in requests, on ${engineName}`, () => {
    let target: Target
    before(async () => {
      const panel = await populatedPanel({ engineName, now: hurriedClock(), features: [...tried, careless] })
      target = { panel, callers: await callersOf(panel), chosen: chooser(engineName) }
    })
    after(() => target.panel.stop())

    it('in every input of every GET is only text, and no table has more or fewer rows', async context => {
      const before = await rowCounts(target.panel)
      assert.deepEqual(await sweep(target, reading), [])
      assert.deepEqual(await rowCounts(target.panel), before)
      context.diagnostic(
        `${reading.flatMap(({ endpoint }) => inputsOf(endpoint)).length} inputs x ${target.chosen(SQL).length} payloads`,
      )
    })

    it('in every input of every change is only text', async context => {
      const before = await rowCounts(target.panel)
      assert.deepEqual(await sweep(target, changing), [])
      const after = await rowCounts(target.panel)
      assert.deepEqual(Object.keys(after), Object.keys(before))
      for (const table of ['admin', 'api_key', 'job']) assert.ok((after[table] ?? 0) >= (before[table] ?? 0), table)
      context.diagnostic(
        `${changing.flatMap(({ endpoint }) => inputsOf(endpoint)).length} inputs x ${target.chosen(SQL).length} payloads`,
      )
    })

    it('in settings, headers and paths is only text', async () => {
      const { sections } = await target.panel.as('full').settingsGet()
      for (const { id, fields } of sections) {
        for (const { name } of fields) {
          for (const payload of target.chosen(SQL)) {
            const asked = { method: 'PUT', headers: target.callers.full, body: { [id]: { [name]: payload } } }
            assert.deepEqual(await judge(`${id}.${name}`, () => target.panel.ask('/api/settings', asked)), [])
          }
        }
      }
      assert.deepEqual(await sweepHeaders(target), [])
    })

    it('is literal in every search: a sign that could be a pattern finds only itself', async () => {
      const all = searchable(served)
      assert.ok(all.length >= 2)
      // Requests that only looked are written down a moment later.
      await new Promise(resolve => setTimeout(resolve, 400))
      for (const one of all) for (const q of PATTERNS) assert.deepEqual(await notLiteral(target, one, q), [])
    })

    it('finds one job for each label, and not the one that a pattern would add', async () => {
      const jobs = searchable(served).find(({ id }) => id === 'jobList')
      assert.ok(jobs)
      for (const label of LITERAL_LABELS) {
        const items = (await search(target, jobs, label)) as { label: string }[]
        assert.deepEqual(
          items.map(item => item.label),
          [label],
        )
      }
    })

    it('is noticed where an endpoint takes it for more than text', async () => {
      const text = plantedEndpoints.filter(({ id }) => id === 'plantedText')
      const wrong = await sweep({ ...target, chosen: all => all }, text, ["' OR 1=1--", "'"])
      assert.match(wrong.join('\n'), /plantedText query\.name = ': 500/)
      const [pattern] = searchable(plantedEndpoints)
      assert.ok(pattern)
      assert.ok((await notLiteral(target, pattern, '%')).length > 0)
      assert.ok((await notLiteral(target, pattern, '_')).length > 0)
    })
  })
}
