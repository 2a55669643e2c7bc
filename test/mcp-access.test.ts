import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { features } from '#app/features.ts'
import { type Access, reaches } from '#platform/contract/level.ts'
import { canNameSites, namedSites } from '#platform/contract/named-sites.ts'
import { reachOf } from '#platform/contract/reach.ts'
import { sampleArgs } from './generated/arbitrary.ts'
import { hurriedClock } from './generated/clock.ts'
import { type Counted, counted, REACHED_STATUS } from './generated/counted.ts'
import { type Served, served } from './generated/served.ts'
import { type App, connectionTo, openApp } from './support/mcp.ts'
import { type TestPanel, testPanel } from './support/panel.ts'

const GENERIC = { read: 'read', call: 'change', dangerous_call: 'destroy' } as const
type Generic = keyof typeof GENERIC

/** The last one may do most. */
const PRINCIPALS: readonly (readonly [Access, boolean])[] = [
  ['read-only', true],
  ['manage', false],
  ['manage', true],
  ['full', false],
  ['full', true],
]

interface Principal {
  name: string
  access: Access
  allowDangerous: boolean
  app: App
}

/** Whether a principal should reach an endpoint with a tool. */
const shouldReach = ({ endpoint }: Served, { access, allowDangerous }: Principal, tool: Generic): boolean => {
  const reach = reachOf(endpoint)
  if (reach !== GENERIC[tool] || endpoint.upload) return false
  return reaches(access, endpoint.level) && (!endpoint.destructive || allowDangerous)
}

describe('every endpoint over MCP', { timeout: 900_000 }, () => {
  let panel: TestPanel
  let handlers: Counted
  const principals: Principal[] = []
  before(async () => {
    handlers = counted(features)
    panel = await testPanel({ features: handlers.features, now: hurriedClock() })
    for (const [access, allowDangerous] of PRINCIPALS) {
      const { token } = await connectionTo(panel, { access, allowDangerous })
      const app = await openApp(panel, token, { person: () => 'accept' })
      principals.push({ name: `${access}, dangerous ${allowDangerous}`, access, allowDangerous, app })
    }
    handlers.standIn()
  })
  after(() => panel.stop())

  const argsFor = ({ id, endpoint }: Served, tool: Generic): Record<string, unknown> => {
    const { params, query, body } = sampleArgs(endpoint)
    return {
      endpoint: id,
      ...(params && { params }),
      ...(query && { query }),
      ...(tool !== 'read' && body !== undefined && { body }),
    }
  }

  const misjudged = async (one: Served, principal: Principal, tool: Generic): Promise<string[]> => {
    const { result, reached } = await handlers.during(() => principal.app.call(tool, argsFor(one, tool)))
    const wanted = shouldReach(one, principal, tool)
    const wasReached = reached.includes(one.id)
    const title = `${one.id} with ${tool} (${principal.name})`
    if (wanted !== wasReached) return [`${title}: ${wanted ? 'not reached' : 'reached'}: ${result.text.slice(0, 200)}`]
    if (wanted && !result.text.includes(String(REACHED_STATUS))) return [`${title}: ${result.text.slice(0, 200)}`]
    return !wanted && reached.length > 0 ? [`${title} reached ${reached.join()}`] : []
  }

  it('is reached with the right tool at the right level, and in no other way', async context => {
    const wrong: string[] = []
    let calls = 0
    for (const one of served) {
      for (const tool of Object.keys(GENERIC) as Generic[]) {
        const isRight = reachOf(one.endpoint) === GENERIC[tool]
        // The one who may do most is refused with the wrong tool, so everyone is.
        for (const principal of isRight ? principals : principals.slice(-1)) {
          wrong.push(...(await misjudged(one, principal, tool)))
          calls += 1
        }
      }
    }
    assert.deepEqual(wrong, [])
    context.diagnostic(`${served.length} endpoints, ${calls} calls`)
  })

  it('is not reached by files but with the tools for files', async () => {
    const file = { site: 'shop', path: 'index.php' }
    const expected: [tool: string, args: object, reached: string, needsDangerous: boolean][] = [
      ['read_file', file, 'fileRead', false],
      ['write_file', { ...file, text: '<?php' }, 'fileWrite', true],
    ]
    for (const [tool, args, id, needsDangerous] of expected) {
      for (const principal of principals) {
        const { reached } = await handlers.during(() => principal.app.call(tool, { ...args }))
        const may = principal.access !== 'read-only' && (!needsDangerous || principal.allowDangerous)
        assert.deepEqual(reached, may ? [id] : [], `${tool} (${principal.name})`)
      }
    }
  })
})

describe('sites in requests', () => {
  const parts = served.flatMap(({ id, endpoint }) =>
    (['params', 'query', 'body'] as const).flatMap(part => {
      const schema = endpoint[part]
      // In bodies, plugins and themes have slugs too.
      const names = part === 'params' ? /"slug":\{/ : /"(?:siteSlug|siteSlugs|slugs|sites)":\{/
      return schema ? [{ title: `${id}.${part}`, schema, names }] : []
    }),
  )
  const slug = 'found-here'

  it('are found wherever a schema has one', () => {
    const jsonOf = (schema: z.ZodType) =>
      JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    const suspicious = parts.filter(({ schema, names }) => names.test(jsonOf(schema)))
    assert.ok(suspicious.length > 20)
    assert.deepEqual(
      suspicious.filter(({ schema }) => !canNameSites(schema)).map(({ title }) => title),
      [],
    )
  })

  it('are taken from params, lists, options and choices alike', () => {
    const { siteGet, jobList, scheduleCreate, mcpConnectionCreate } = Object.fromEntries(
      served.map(({ id, endpoint }) => [id, endpoint]),
    )
    assert.deepEqual(namedSites(siteGet?.params, { slug }), [slug])
    assert.deepEqual(namedSites(jobList?.query, { siteSlug: slug, q: 'x' }), [slug])
    assert.deepEqual(namedSites(mcpConnectionCreate?.body, { name: 'x', siteSlugs: [slug, 'two'] }), [slug, 'two'])
    assert.deepEqual(namedSites(scheduleCreate?.body, { targets: { sites: [slug], labels: ['a'] } }), [slug])
    assert.deepEqual(namedSites(siteGet?.params, undefined), [])
  })
})
