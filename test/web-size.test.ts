import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { groups } from '#app/contract.ts'
import { buildWeb, type WebBuild } from './support/web-build.ts'

const ROOT = join(import.meta.dirname, '..')
/** One more than the product has: another feature has to fit, too. */
const GROUPS = groups.length + 1
const LIMIT_BYTES = 200_000
const planted = Array.from({ length: GROUPS - groups.length }, (_, at) => `planted${String.fromCodePoint(97 + at)}`)

/** What is wrong with a build: pages and contracts of features that are there from the start although no one asked for them. */
const tooEarly = ({ firstLoad }: WebBuild) =>
  firstLoad.modules.filter(
    path => /Page\.tsx$|^src\/features\/planted\w+\/(?!web\/index\.ts)/.test(path) && !path.startsWith('src/web/'),
  )

describe(`the browser interface with ${GROUPS} groups`, () => {
  let web: WebBuild
  before(async () => {
    web = await buildWeb(planted)
  })

  it('loads at most 200 kB of script before the first page', context => {
    context.diagnostic(`${web.firstLoad.bytes} bytes, gzipped`)
    assert.ok(
      web.firstLoad.modules.some(path => path === `src/features/${planted[0]}/web/index.ts`),
      'nothing was planted',
    )
    assert.ok(web.firstLoad.bytes <= LIMIT_BYTES, `${web.firstLoad.bytes} bytes`)
  })

  it('fetches every page, tab and part of Home when it is needed', () => {
    assert.deepEqual(tooEarly(web), [])
    const pages = globSync('src/features/*/web/**/*Page.tsx', { cwd: ROOT })
    assert.ok(pages.length > 15)
    const parts = planted.flatMap(name =>
      ['PlantedPage', 'PlantedTab', 'PlantedPart'].map(file => `src/features/${name}/web/${file}.tsx`),
    )
    for (const path of [...pages, ...parts])
      assert.ok(web.fetchedLater.includes(path), `${path} has no chunk of its own`)
  })

  it('would be seen to load a page too early', async () => {
    const eager = await buildWeb(['plantedeager'], { eager: true })
    const page = 'src/features/plantedeager/web/PlantedPage.tsx'
    assert.ok(tooEarly(eager).includes(page))
    assert.ok(tooEarly(eager).includes('src/features/plantedeager/contract.ts'))
    assert.ok(!eager.fetchedLater.includes(page))
  })
})
