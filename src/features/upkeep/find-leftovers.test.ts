import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SiteRow } from '#features/sites/index.ts'
import { findDrifted } from './find-drifted.ts'
import { type Found, findLeftovers } from './find-leftovers.ts'

const EXPECTED = {
  slugs: new Set(['shop']),
  databases: new Set(['wp_shop']),
  certificates: new Set(['11111111-0000-7000-8000-000000000000']),
}
const NOTHING: Found = { containers: [], networks: [], folders: [], databases: [], accounts: [], certificates: [] }

describe('leftovers of a server', () => {
  it('are none where everything belongs to a site', () => {
    const found: Found = {
      containers: [{ name: 'fleetpress-site-shop', slug: 'shop' }],
      networks: [{ name: 'fleetpress-site-shop', slug: 'shop' }],
      folders: [{ slug: 'shop', isLabelled: true }],
      databases: [{ name: 'wp_shop', isLabelled: true }],
      accounts: ['wp_shop'],
      certificates: ['11111111-0000-7000-8000-000000000000'],
    }
    assert.deepEqual(findLeftovers(found, EXPECTED), [])
  })

  it('are whatever belongs to nothing, and only labelled ones can be removed, accounts before databases', () => {
    const found: Found = {
      containers: [{ name: 'fleetpress-site-old.next', slug: 'old' }],
      networks: [{ name: 'fleetpress-site-old', slug: 'old' }],
      folders: [
        { slug: 'old', isLabelled: true },
        { slug: 'mine', isLabelled: false },
      ],
      databases: [
        { name: 'wp_old', isLabelled: true },
        { name: 'wp_mine', isLabelled: false },
      ],
      accounts: ['wp_mine', 'wp_old'],
      certificates: ['22222222-0000-7000-8000-000000000000'],
    }
    assert.deepEqual(
      findLeftovers(found, EXPECTED).map(({ kind, name, removable }) => `${kind} ${name} ${removable}`),
      [
        'container fleetpress-site-old.next true',
        'network fleetpress-site-old true',
        'folder old true',
        'folder mine false',
        'account wp_mine false',
        'account wp_old true',
        'database wp_old true',
        'database wp_mine false',
        'certificate 22222222-0000-7000-8000-000000000000 true',
      ],
    )
    assert.deepEqual(findLeftovers(NOTHING, EXPECTED), [], 'what is missing is not a leftover')
  })
})

describe('sites that are not what their status says', () => {
  const CASES: [SiteRow['status'], string | undefined, boolean][] = [
    ['running', 'running', false],
    ['running', 'restarting', false],
    ['running', 'exited', true],
    ['running', 'paused', true],
    ['running', undefined, true],
    ['stopped', 'exited', false],
    ['stopped', undefined, false],
    ['stopped', 'running', true],
    ['stopped', 'paused', true],
    ['creating', undefined, false],
    ['deleting', 'running', false],
  ]
  for (const [status, state, isDrifted] of CASES)
    it(`${status} with a container that is ${state ?? 'absent'}: ${isDrifted}`, () => {
      const site = { slug: 'shop', status } as SiteRow
      const states = new Map(state === undefined ? [] : [['shop', state]])
      assert.deepEqual(findDrifted([site], states), isDrifted ? [site] : [])
    })
})
