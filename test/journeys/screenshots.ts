import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startJourney } from './browser.ts'
import { bringTo, dress, openView, STATES, viewsOf } from './views.ts'

/** `node test/journeys/screenshots.ts [name…]` photographs every page; with names, only those whose name holds one. */
const FOLDER = join(import.meta.dirname, '..', '..', 'screenshots')

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.some(word => name.includes(word))

if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const journey = await startJourney()
try {
  for (const state of STATES) {
    await bringTo(journey, state)
    for (const theme of ['light', 'dark'] as const) {
      for (const width of [1440, 390] as const) {
        await dress(journey, { theme, width })
        for (const [name, view] of viewsOf(state)) {
          const file = `${name}-${state}-${theme}-${width}.png`
          if (!isWanted(file)) continue
          await openView(journey, state, view)
          await journey.page.screenshot({ path: join(FOLDER, file) })
        }
      }
    }
  }
} finally {
  await journey.end()
}
