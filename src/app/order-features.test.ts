import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { defineFeature, type Feature } from '#platform/feature.ts'
import { contracts } from './contract.ts'
import { features } from './features.ts'
import { orderFeatures } from './order-features.ts'

const NOTES = contract({
  noteList: { method: 'GET', path: '/api/notes', level: 'read-only', summary: 'Notes', reply: z.object({}) },
})

const silent = (name: string, ...uses: string[]): Feature => defineFeature({ name, uses, contract: {}, routes: {} })
const notes: Feature = { ...silent('notes', 'paper'), contract: NOTES }
const namesOf = (those: readonly Feature[]) => those.map(({ name }) => name)

describe('features', () => {
  it('are all there, each after those it uses', () => {
    const names = namesOf(features)
    assert.ok(Object.keys(contracts).every(name => names.includes(name)))
    for (const { name, uses } of features)
      for (const used of uses) assert.ok(names.indexOf(used) < names.indexOf(name), `${name} comes before ${used}`)
  })

  it('follow the list of contracts, then their names', () => {
    const found = [silent('ink'), silent('paper'), silent('box'), notes]
    assert.deepEqual(namesOf(orderFeatures(found, { notes: NOTES })), ['paper', 'notes', 'box', 'ink'])
  })

  it('are refused when the list does not name their contract, or names a feature that is not there', () => {
    assert.throws(() => orderFeatures([silent('paper'), notes], {}), /contract of notes is not the one in/)
    assert.throws(() => orderFeatures([silent('paper'), notes], { notes: { ...NOTES } }), /contract of notes/)
    assert.throws(() => orderFeatures([silent('paper')], { notes: NOTES }), /there is no feature notes/)
    assert.throws(() => orderFeatures([notes], { notes: NOTES }), /there is no feature paper/)
  })
})
