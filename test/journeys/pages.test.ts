import { describe, it } from 'node:test'
import { SOAK } from '../support/soak.ts'
import { assertAccessible, assertNoJumps, assertNoOverflow, startJourney } from './browser.ts'
import { bringTo, dress, openView, STATES, viewsOf } from './views.ts'

const ALL = (['light', 'dark'] as const).flatMap(theme => ([1440, 390] as const).map(width => ({ theme, width })))
/** What the journeys themselves look at least. */
const SOME = [{ theme: 'dark', width: 390 }] as const

describe('every page', { timeout: 20 * 60_000 }, () => {
  it('can be used by everyone, and nothing jumps, light and dark, wide and narrow, empty and full', async t => {
    const journey = await startJourney()
    const { page } = journey
    try {
      for (const state of STATES) {
        await bringTo(journey, state)
        if (state === 'empty' && !SOAK) continue
        for (const look of SOAK ? ALL : SOME) {
          await dress(journey, look)
          for (const [name, view] of viewsOf(state)) {
            await t.test(`${name}, ${state}, ${look.theme}, ${look.width} px`, async () => {
              await openView(journey, state, view)
              await assertNoJumps(page)
              await assertAccessible(page)
              await assertNoOverflow(page)
            })
          }
        }
      }
    } finally {
      await journey.end()
    }
  })
})
