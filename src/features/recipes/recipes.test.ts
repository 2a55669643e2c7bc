import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { z } from 'zod'
import { insertSite } from '#features/sites/site-store.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import type { RecipeBody } from './contract.ts'
import { keepLicense } from './license-store.ts'
import { listValues } from './recipe-store.ts'
import { hidingSecrets } from './run/hide-secrets.ts'
import { resolveJson } from './run/resolve.ts'
import { RecipeHooks, RecipeInput } from './steps/contract.ts'

const SECRET = "acme-'license'/key 1"
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000ffff'

type Body = z.input<typeof RecipeBody>

const recipe = (changes: Partial<Body> = {}): Body => ({
  name: 'Acme license',
  inputs: [
    { name: 'key', label: 'License key', secret: true },
    { name: 'email', label: 'Email', required: false },
    { name: 'seats', label: 'Seats', type: 'number', required: false },
  ],
  hooks: {
    afterInstall: [
      { kind: 'option', option: 'acme', path: ['license', 'key'], value: { $input: 'key' } },
      { kind: 'wp-cli', args: ['acme', 'register', { $input: 'email' }], stdin: [{ $input: 'key' }] },
      { kind: 'rest', method: 'POST', route: '/acme/v1/license', body: { key: { $input: 'key' }, seats: 1 } },
      { kind: 'constant', name: 'ACME_KEY', value: { $input: 'key' } },
    ],
    verify: [{ kind: 'expect', read: { kind: 'option', option: 'acme' }, path: ['status'], value: 'valid' }],
  },
  ...changes,
})

const WRONG: Readonly<Record<string, Partial<Body>>> = {
  'an unknown input': { hooks: { afterInstall: [{ kind: 'option', option: 'a', value: { $input: 'nothing' } }] } },
  'a secret in a command line': { hooks: { afterInstall: [{ kind: 'wp-cli', args: ['acme', { $input: 'key' }] }] } },
  'a secret in the command line of a check': {
    hooks: {
      verify: [{ kind: 'expect', read: { kind: 'wp-cli', args: ['a', { $input: 'key' }] }, operator: 'exists' }],
    },
  },
  'a check that changes something': { hooks: { verify: [{ kind: 'option', option: 'a', value: 1 }] } },
  'a comparison with nothing': { hooks: { verify: [{ kind: 'expect', read: { kind: 'option', option: 'a' } }] } },
  'an input twice': {
    inputs: [
      { name: 'key', label: 'A', secret: true },
      { name: 'email', label: 'B' },
      { name: 'key', label: 'C', secret: true },
    ],
  },
  'an unknown plugin': { pluginId: UNKNOWN_ID },
}

const UNREADABLE: Readonly<Record<string, unknown>> = {
  'an unknown kind of step': { hooks: { afterInstall: [{ kind: 'shell', command: 'id' }] } },
  'a constant of WordPress': { hooks: { afterInstall: [{ kind: 'constant', name: 'DB_PASSWORD', value: 'x' }] } },
  'a salt': { hooks: { afterInstall: [{ kind: 'constant', name: 'SECURE_AUTH_KEY', value: 'x' }] } },
  'a zero byte': { hooks: { afterInstall: [{ kind: 'wp-cli', args: ['a\0b'] }] } },
  'a route elsewhere': { hooks: { afterInstall: [{ kind: 'rest', route: 'http://example.com/' }] } },
  'a part of a text': { hooks: { afterInstall: [{ kind: 'wp-cli', args: [{ $input: 'email', prefix: 'x' }] }] } },
  'another field': { shell: 'id' },
}

it('hidingSecrets: takes a secret out in each form that programs repeat it in', () => {
  const inputs = [RecipeInput.parse({ name: 'key', label: 'Key', secret: true })]
  const hide = hidingSecrets(inputs, new Map([['key', SECRET]]))
  const json = JSON.stringify({ key: SECRET }).replaceAll('/', '\\/')
  const base64 = Buffer.from(SECRET).toString('base64')
  const said = [SECRET, json, encodeURIComponent(SECRET), base64, SECRET.replaceAll("'", "'\\''")].join(' ')
  assert.equal(hide(said), '[secret] {"key":"[secret]"} [secret] [secret] [secret]')
})

it('resolveJson: inputs are whole values of any type', () => {
  const values = new Map<string, string | number>([
    ['key', SECRET],
    ['seats', 3],
  ])
  const resolved = resolveJson(values, { a: [{ $input: 'key' }], b: { $input: 'seats' }, c: '$input', d: null })
  assert.deepEqual(resolved, { a: [SECRET], b: 3, c: '$input', d: null })
})

for (const engineName of ENGINES) {
  describe(`recipes on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const api = () => panel.as('full')
    const db = () => panel.foundation.database.db
    before(async () => {
      panel = await testPanel({ engineName })
      await insertSite(db(), { ...siteRow('shop', 1), status: 'running' }, ['shop.localhost'])
    })
    after(() => panel.stop())

    it('recipeSteps: every kind has a schema', async () => {
      const { items } = await panel.as('read-only').recipeSteps()
      assert.deepEqual(
        items.map(({ kind }) => kind),
        ['wp-cli', 'option', 'rest', 'constant', 'wait-until', 'expect'],
      )
      assert.deepEqual(
        items.filter(({ hooks }) => hooks.includes('verify')).map(({ kind }) => kind),
        ['wait-until', 'expect'],
      )
      for (const { schema } of items) assert.equal(schema.type, 'object')
    })

    it('recipeValidate and recipeCreate: say what is wrong and change nothing', async () => {
      assert.deepEqual(await api().recipeValidate({ body: recipe() }), { ok: true, problems: [] })
      for (const [what, changes] of Object.entries(WRONG)) {
        const { ok, problems } = await api().recipeValidate({ body: recipe(changes) })
        assert.deepEqual([ok, problems.length], [false, 1], `${what}: ${JSON.stringify(problems)}`)
        await assert.rejects(api().recipeCreate({ body: recipe(changes) }), { code: 'validation_error' }, what)
      }
      for (const [what, changes] of Object.entries(UNREADABLE)) {
        const body = { ...recipe(), ...(changes as Partial<Body>) }
        await assert.rejects(api().recipeValidate({ body }), { code: 'validation_error' }, what)
      }
      assert.deepEqual((await api().recipeList()).items, [])
    })

    it('recipeCreate, recipeGet, recipeUpdate: keep what was said', async () => {
      const made = await api().recipeCreate({ body: recipe() })
      assert.deepEqual([made.ready, made.inputsSet, made.licenses], [false, [], { valid: 0, other: 0 }])
      assert.deepEqual(made.hooks, RecipeHooks.parse(recipe().hooks))
      assert.deepEqual(await panel.as('read-only').recipeGet({ params: { id: made.id } }), made)
      const changed = await api().recipeUpdate({ params: { id: made.id }, body: recipe({ description: 'Pro only' }) })
      assert.equal(changed.description, 'Pro only')
      for (const act of [
        () => api().recipeGet({ params: { id: UNKNOWN_ID } }),
        () => api().recipeUpdate({ params: { id: UNKNOWN_ID }, body: recipe() }),
        () => api().recipeInputs({ params: { id: UNKNOWN_ID }, body: { values: {} } }),
        () => api().recipeSites({ params: { id: UNKNOWN_ID } }),
        () => api().recipeDelete({ params: { id: UNKNOWN_ID } }),
      ])
        await assert.rejects(act(), { code: 'not_found' })
    })

    it('recipeInputs: keeps values sealed, and never shows a secret', async () => {
      const [made] = (await api().recipeList()).items
      const params = { id: made?.id ?? '' }
      for (const values of [
        { nothing: 'x' },
        { key: 5 },
        { key: 'abc' },
        { key: '' },
        { email: 'a\nb' },
        { seats: 'x' },
      ])
        await assert.rejects(api().recipeInputs({ params, body: { values } }), { code: 'validation_error' })
      assert.deepEqual(await listValues(db()), [])
      const values = { key: SECRET, email: 'ada@example.com', seats: 3 }
      assert.deepEqual(await api().recipeInputs({ params, body: { values } }), { inputsSet: ['email', 'key', 'seats'] })
      assert.ok(!JSON.stringify(await listValues(db())).includes(SECRET))
      const shown = await api().recipeGet({ params })
      assert.equal(shown.ready, true)
      assert.deepEqual(
        shown.inputs.map(({ name, isSet, value }) => [name, isSet, value]),
        [
          ['key', true, null],
          ['email', true, 'ada@example.com'],
          ['seats', true, 3],
        ],
      )
      assert.equal((await panel.as('read-only').recipeGet({ params })).inputs[1]?.value, null)
      assert.ok(!JSON.stringify(await api().recipeList()).includes('acme-'))
      await api().recipeInputs({ params, body: { values: { seats: null } } })
      assert.deepEqual((await api().recipeGet({ params })).inputsSet, ['email', 'key'])
    })

    it('recipeUpdate: a secret does not become readable by a change of its input', async () => {
      const [made] = (await api().recipeList()).items
      const params = { id: made?.id ?? '' }
      const readable = recipe().inputs?.map(input => ({ ...input, secret: false })) ?? []
      const changed = await api().recipeUpdate({ params, body: recipe({ inputs: readable }) })
      assert.deepEqual(changed.inputsSet, ['email'])
      await api().recipeUpdate({ params, body: recipe() })
    })

    it('recipeImport: takes the worked recipes of docs/recipes.md', async () => {
      const text = readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8')
      const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block]) => JSON.parse(block ?? ''))
      assert.equal(blocks.length, 2)
      for (const body of blocks) {
        const imported = await api().recipeImport({ body })
        assert.deepEqual([imported.name, imported.ready], [body.name, false])
        await api().recipeDelete({ params: { id: imported.id } })
      }
    })

    it('recipeImport: takes what was exported, without any value', async () => {
      const [made] = (await api().recipeList()).items
      assert.ok(made)
      const imported = await api().recipeImport({ body: made.export })
      assert.notEqual(imported.id, made.id)
      assert.deepEqual([imported.hooks, imported.inputsSet], [made.hooks, []])
      const newer = { ...made.export, version: 2 as 1 }
      await assert.rejects(api().recipeImport({ body: newer }), { code: 'validation_error' })
      assert.deepEqual(await api().recipeDelete({ params: { id: imported.id } }), { ok: true })
    })

    it('wpRecipesApply: refuses what can not be applied', async () => {
      const [made] = (await api().recipeList()).items
      const params = { slug: 'shop' }
      const recipeId = made?.id ?? ''
      await assert.rejects(api().wpRecipesApply({ params, body: {} }), { code: 'conflict', message: /No recipe fits/ })
      await assert.rejects(api().wpRecipesApply({ params, body: { recipeId } }), { code: 'conflict', message: /key/ })
      await assert.rejects(api().wpRecipesApply({ params, body: { recipeId: UNKNOWN_ID } }), { code: 'not_found' })
      await assert.rejects(api().wpRecipesApply({ params: { slug: 'none' }, body: {} }), { code: 'not_found' })
    })

    it('recipeSites and wpRecipes: how it stands on each site', async () => {
      const [made] = (await api().recipeList()).items
      const recipeId = made?.id ?? ''
      const row = { site_slug: 'shop', recipe_id: recipeId, checked_at: 2, job_id: null }
      await keepLicense(db(), { ...row, status: 'valid', message: '', applied_at: 1 })
      await keepLicense(db(), { ...row, status: 'expired', message: 'Renew it' })
      const { items } = await panel.as('manage').wpRecipes({ params: { slug: 'shop' } })
      assert.deepEqual(
        items.map(({ status, message, appliedAt, checkedAt }) => [status, message, appliedAt, checkedAt]),
        [['expired', 'Renew it', 1, 2]],
      )
      const seen = await panel.as('read-only').recipeSites({ params: { id: recipeId } })
      assert.deepEqual(seen.items, [{ ...items[0], message: null }])
      assert.deepEqual((await api().recipeGet({ params: { id: recipeId } })).licenses, { valid: 0, other: 1 })
      await api().recipeInputs({ params: { id: recipeId }, body: { values: { key: SECRET } } })
      const body = { recipeId, hook: 'verify' as const }
      const { job } = await panel.as('manage').wpRecipesApply({ params: { slug: 'shop' }, body })
      assert.deepEqual([job.type, job.siteSlug], ['wp.recipes', 'shop'])
      await assert.rejects(api().wpRecipesApply({ params: { slug: 'shop' }, body }), { code: 'job_conflict' })
      const { recipes } = await api().siteOptions()
      assert.deepEqual(recipes, [{ id: recipeId, name: 'Acme license', pluginId: null, ready: true }])
    })
  })
}
