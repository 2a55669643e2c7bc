import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { features } from '#app/features.ts'
import { VERSION } from '#app/version.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { defineFeature, type Feature } from '#platform/feature.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import type { Attention } from './contract.ts'

const attention = (id: string, severity: Attention['severity']): Attention => ({
  id,
  severity,
  title: id,
  detail: '',
  action: null,
})

const part = (name: string, items: Attention[]) =>
  defineFeature({
    name,
    uses: ['panel'],
    contract: contract({}),
    routes: {},
    hooks: { overview: async () => ({ counts: { [name]: items.length }, attention: items }) },
  }) as unknown as Feature

for (const engineName of ENGINES) {
  describe(`health and overview on ${engineName}`, { timeout: 30_000 }, () => {
    let panel: TestPanel
    before(async () => {
      const more = [
        part('one', [attention('note', 'info'), attention('fire', 'critical')]),
        part('two', [attention('smoke', 'warning')]),
      ]
      panel = await testPanel({ engineName, features: [...features, ...more] })
    })
    after(() => panel.stop())

    it('health answers everyone', async () => {
      const answer = await panel.ask('/api/health')
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json(), { ok: true, version: VERSION })
    })

    it('overview puts what the features say together, the most important first', async () => {
      const answer = await panel.as('read-only').overview()
      const { one, two } = answer.counts
      assert.deepEqual({ one, two }, { one: 2, two: 1 })
      assert.deepEqual(
        answer.attention.map(({ id }) => id),
        ['fire', 'smoke', 'note'],
      )
    })

    it('overview answers nobody without a key or a session', async () => {
      assert.equal((await panel.ask('/api/overview')).status, 401)
      assert.equal((await panel.askAs(await panel.owner(), '/api/overview')).status, 200)
    })
  })
}
