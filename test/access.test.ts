import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { features } from '#app/features.ts'
import { newKeyToken } from '#features/panel/key-token.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { ACCESS, LEVEL_NAMES, reaches } from '#platform/contract/level.ts'
import type { Feature } from '#platform/feature.ts'
import { type AccessRow, OWN_TABLE, readAccessTable, rowOf, SPEC_TABLE } from './generated/access-table.ts'
import { assertAnswer, problemOf } from './generated/answers.ts'
import { bearer, CALLERS, type CallerName, type Callers, callersOf, probe } from './generated/callers.ts'
import { hurriedClock } from './generated/clock.ts'
import { type Counted, counted, REACHED_STATUS } from './generated/counted.ts'
import { plant } from './generated/planted.ts'
import { allTried, changing, type Served, served, servedBy, titleOf, tried } from './generated/served.ts'
import { type TestPanel, testPanel } from './support/panel.ts'

/** As the spec counts them. */
const GROUPS: Record<string, number> = {
  Sites: 18,
  'WordPress on one site': 28,
  'Files (Web FTP)': 15,
  'FTP & SFTP logins': 6,
  'WordPress across the fleet': 5,
  'Site protection and malware scans': 20,
  Backups: 11,
  'Offsite destinations': 8,
  Servers: 15,
  DNS: 5,
  'Blocked addresses': 10,
  Mail: 19,
  'Plugin catalog': 9,
  'Plugin recipes': 10,
  Jobs: 4,
  Schedules: 7,
  'Panel, settings and keys': 10,
  'MCP connections': 8,
  'This install, and updating it': 6,
  'Panel login': 8,
  'Admin accounts': 12,
}

const spec = readAccessTable(SPEC_TABLE)
const own = readAccessTable(OWN_TABLE)
const table = [...spec, ...own]

/** Every way in which what is served is not what the table says. */
const disagreements = (rows: readonly AccessRow[], those: readonly Served[]): string[] => {
  const byTitle = new Map(rows.map(row => [`${row.method} ${row.path}`, row]))
  return those.flatMap(({ id, group, endpoint }) => {
    const title = titleOf(endpoint)
    const row = byTitle.get(title)
    if (!row) return [`${id}: ${title} is not in ${SPEC_TABLE}; if the spec does not have it, add it to ${OWN_TABLE}`]
    const said = rowOf(group, endpoint)
    return (Object.keys(row) as (keyof AccessRow)[])
      .filter(name => row[name] !== said[name])
      .map(name => `${id}: ${name} is '${said[name]}' in the contract, '${row[name]}' in the table`)
  })
}

const count = <T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}

type Lie = Omit<Partial<Endpoint>, 'download' | 'reply'>

const liar = (endpoint: Lie): Feature =>
  plant(
    {
      planted: { method: 'GET', path: '/api/jobs', level: 'read-only', summary: 'x', reply: z.unknown(), ...endpoint },
    },
    { planted: async () => ({}) },
    { group: 'Jobs' },
  )

describe('the access table', () => {
  it('holds the 234 endpoints of the spec, in its 21 groups', () => {
    assert.equal(spec.length, 234)
    assert.equal(new Set(table.map(row => `${row.method} ${row.path}`)).size, table.length)
    assert.deepEqual(
      count(spec, row => row.group),
      GROUPS,
    )
    assert.equal(Object.keys(GROUPS).length, 21)
  })

  it('needs no key for 6, and exactly Read only for 72, Manage for 82, Full for 74', () => {
    assert.deepEqual(
      count(spec, row => row.level),
      { none: 6, 'read-only': 72, manage: 82, full: 74 },
    )
  })

  it('says what every contract says', context => {
    assert.deepEqual(disagreements(table, served), [])
    const built = new Set(served.map(({ endpoint }) => titleOf(endpoint)))
    const missing = own.filter(row => !built.has(`${row.method} ${row.path}`))
    assert.deepEqual(missing, [], `${OWN_TABLE} has what is not served`)
    context.diagnostic(
      `${served.length - own.length} of ${spec.length} endpoints of the spec served, and ${own.length} more`,
    )
  })

  it('finds each kind of disagreement', () => {
    const planted: [Lie, RegExp][] = [
      [{ level: 'none' }, /level is 'none'/],
      [{ job: true }, /job is 'job'/],
      [{ destructive: true }, /destructive is/],
      [{ mcp: 'no' }, /mcp is 'no'/],
      [{ raised: { level: 'full', when: 'on Sundays' } }, /raised is 'full on Sundays'/],
      [{ path: '/api/mails' }, /not in test\/access-table/],
      [{ method: 'PUT' }, /not in test\/access-table/],
      [{ path: '/backdoor' }, /not in test\/access-table/],
    ]
    for (const [endpoint, expected] of planted) {
      const found = disagreements(table, servedBy([liar(endpoint)]))
      assert.match(found.join('\n'), expected)
      assert.equal(found.length, 1, found.join('\n'))
    }
    assert.match(disagreements(table, servedBy([{ ...liar({}), group: 'Sites' }])).join(), /group is 'Sites'/)
    assert.deepEqual(disagreements(table, servedBy([liar({})])), [])
  })
})

/** What should happen to a caller at an endpoint. */
const expected = (endpoint: Endpoint, caller: CallerName): 'refused' | 'too low' | 'no person' | 'reached' => {
  if (caller === 'unknown key' || caller === 'revoked key') return 'refused'
  if (caller === 'anonymous') return endpoint.level === 'none' ? 'reached' : 'refused'
  if (caller === 'person') return 'reached'
  if (!reaches(caller, endpoint.level)) return 'too low'
  return endpoint.personOnly ? 'no person' : 'reached'
}

const STATUS = { refused: 401, 'too low': 403, 'no person': 403, reached: REACHED_STATUS }

interface Door {
  panel: TestPanel
  callers: Callers
  handlers: Counted
}

const openDoor = async (those: readonly Feature[]): Promise<Door> => {
  const handlers = counted(those)
  const panel = await testPanel({ features: handlers.features, now: hurriedClock() })
  const callers = await callersOf(panel)
  handlers.standIn()
  return { panel, callers, handlers }
}

/** Whether one request went as it should; empty when it did. */
const misjudged = async ({ panel, callers, handlers }: Door, { id, endpoint }: Served, caller: CallerName) => {
  const wanted = expected(endpoint, caller)
  const { result, reached } = await handlers.during(() => probe(panel, endpoint, callers[caller]))
  assertAnswer(result, `${id} for ${caller}`)
  const wrong: string[] = []
  if (result.status !== STATUS[wanted]) wrong.push(`${id} for ${caller}: ${result.status}, not ${STATUS[wanted]}`)
  const calls = wanted === 'reached' ? 1 : 0
  if (reached.length !== calls) wrong.push(`${id} for ${caller}: reached ${reached.length} times, not ${calls}`)
  if (wanted === 'too low' && wrong.length === 0) {
    const { message, details } = problemOf(result)
    const levels = { needed: LEVEL_NAMES[endpoint.level], held: LEVEL_NAMES[caller as (typeof ACCESS)[number]] }
    assert.deepEqual(details, levels, `${id}: the details do not name both levels`)
    for (const level of Object.values(levels)) assert.ok(message.includes(level), `${id}: not ${level} in ${message}`)
  }
  return wrong
}

const judgeAll = async (door: Door, those: readonly Served[], times: number): Promise<string[]> => {
  const wrong: string[] = []
  for (const one of those) {
    for (const caller of CALLERS) {
      const denied = expected(one.endpoint, caller) !== 'reached'
      for (let time = 0; time < (denied ? times : 1); time += 1) wrong.push(...(await misjudged(door, one, caller)))
    }
  }
  return wrong
}

describe('every endpoint for every caller', () => {
  let door: Door
  before(async () => {
    door = await openDoor(tried)
  })
  after(() => door.panel.stop())

  it('lets in who may come, and refuses the others before any handler', async context => {
    assert.deepEqual(await judgeAll(door, allTried, 1), [])
    context.diagnostic(`${allTried.length} endpoints x ${CALLERS.length} callers`)
  })

  it('refuses a denied change again when it is repeated twice', async () => {
    assert.deepEqual(await judgeAll(door, changing, 3), [])
  })

  it('has nothing, for a Full key, where an endpoint of the table is not built', async context => {
    const built = new Set(served.map(({ endpoint }) => titleOf(endpoint)))
    const missing = table.filter(row => !built.has(`${row.method} ${row.path}`))
    const { reached } = await door.handlers.during(async () => {
      for (const { method, path } of missing) {
        const answer = await door.panel.ask(path.replace(/:\w+/g, '1'), { method, headers: door.callers.full })
        assert.ok([404, 405].includes(answer.status), `${method} ${path} is not built and answers ${answer.status}`)
        assertAnswer(answer, `${method} ${path}`)
      }
    })
    assert.deepEqual(reached, [])
    context.diagnostic(`${missing.length} endpoints are not built and answer 404, or 405 where another method is`)
  })
})

describe('the judge of levels', () => {
  it('reports a panel that asks for less than it should, and one that asks for more', async () => {
    for (const [asked, should] of [
      ['none', 'full'],
      ['read-only', 'manage'],
      ['full', 'none'],
    ] as const) {
      const path = '/api/planted'
      const door = await openDoor([...features, liar({ path, level: asked })])
      const wrong = await judgeAll(door, servedBy([liar({ path, level: should })]), 1)
      await door.panel.stop()
      assert.ok(wrong.length > 0, `${asked} in the place of ${should} went unseen`)
    }
  })
})

describe('keys', () => {
  let panel: TestPanel
  before(async () => {
    panel = await testPanel()
  })
  after(() => panel.stop())

  const create = (token: string, access: string) =>
    panel.ask('/api/keys', { method: 'POST', headers: bearer(token), body: { name: 'made', access } })

  it('never make a key above their own level', async () => {
    for (const held of ACCESS) {
      for (const wanted of [...ACCESS, ...ACCESS.map(access => LEVEL_NAMES[access])]) {
        const answer = await create(panel.token[held], wanted)
        assert.equal(answer.status, held === 'full' ? 201 : 403, `${held} asked for ${wanted}`)
      }
    }
  })

  it('are never raised: access is not a field of a key that exists', async () => {
    const { items } = await panel.as('full').keyList()
    const low = items.find(key => key.access === 'read-only')
    assert.ok(low)
    for (const body of [{ access: 'full' }, { name: 'x', access: 'full' }, { name: 'x', level: 'full' }]) {
      const answer = await panel.ask(`/api/keys/${low.id}`, {
        method: 'PATCH',
        headers: bearer(panel.token.full),
        body,
      })
      assert.equal(answer.status, 400)
    }
    const after = (await panel.as('full').keyList()).items.find(({ id }) => id === low.id)
    assert.equal(after?.access, 'read-only')
  })

  it('do not become more by another mark in the token', async () => {
    const made = newKeyToken('full')
    const random = panel.token['read-only'].slice(6, 39)
    for (const token of [
      made,
      `fp_fu_${random}${panel.token['read-only'].slice(39)}`,
      `fp_fu_${random}${made.slice(39)}`,
    ])
      assert.equal((await panel.ask('/api/keys', { headers: bearer(token) })).status, 401)
  })
})
