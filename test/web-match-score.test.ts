import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matchScore } from '#web/client/match-score.ts'

const ranked = (typed: string, titles: readonly string[]) =>
  titles
    .map(title => ({ title, score: matchScore(typed, title) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ title }) => title)

describe('what the palette finds', () => {
  it('puts the best match first', () => {
    assert.deepEqual(ranked('harbor', ['Old harbor shop', 'Harborside', 'Harbor', 'Bakery']), [
      'Harbor',
      'Old harbor shop',
      'Harborside',
    ])
  })

  it('forgives typing errors in longer words', () => {
    for (const typed of ['habror', 'harbr', 'harbour', 'hatbor']) assert.ok(matchScore(typed, 'Harbor') > 0, typed)
    assert.equal(matchScore('jib', 'Job'), 0)
    assert.equal(matchScore('bakery', 'Harbor'), 0)
  })

  it('wants every word that was typed', () => {
    assert.ok(matchScore('new site', 'Create site', 'new add') > 0)
    assert.equal(matchScore('new server', 'Create site', 'new add'), 0)
  })

  it('counts a title more than keywords', () => {
    assert.ok(matchScore('logs', 'Logs') > matchScore('logs', 'Jobs', 'logs'))
  })

  it('fits everything while nothing is typed', () => assert.ok(matchScore('', 'Home') > 0))
})
