import { EXIT, Failure } from '../failure.ts'
import { ensureSshCrypto } from '../install/ssh-crypto.ts'
import { environmentOfTests } from '../panel/environment.ts'
import { inRepository, ROOT } from '../repository.ts'
import { out, say } from '../terminal.ts'
import type { Totals } from '../test/count.ts'
import { changedFiles, findTestFiles, quickFiles, ringOf } from '../test/find-files.ts'
import { installMissing } from '../test/install.ts'
import { runLanes } from '../test/lanes.ts'
import { packTests } from '../test/pack.ts'
import { PACKAGES, RINGS, type Ring } from '../test/packages.ts'
import { PACKED_PLACE } from '../test/packed-path.ts'
import { runStaticChecks } from '../test/static-checks.ts'
import { keepTimes, showTimes } from '../test/times.ts'
import { showSteps } from '../up/steps.ts'
import { ensureWeb } from '../up/web.ts'

const NORMAL: readonly Ring[] = ['unit', 'slow', 'fleet', 'journeys']

const ringsFor = (name: string): readonly Ring[] => {
  if (name === 'quick') return ['unit']
  if (name === 'all') return NORMAL
  if (name === 'soak') return RINGS
  const ring = RINGS.find(one => one === name)
  if (ring) return [ring]
  throw new Failure(
    `There is no ring ${JSON.stringify(name)}: choose quick, unit, slow, fleet, journeys, all or soak.`,
    EXIT.usage,
  )
}

/** A file that no ring runs would look tested and never be. */
const refuseLost = (files: string[]): void => {
  const lost = files.filter(file => ringOf(file) === undefined)
  if (lost.length > 0) {
    throw new Failure(`No ring can run ${lost.join(', ')}: name them *.test.ts.`)
  }
}

/** Returns what the tests have to know of it. */
const prepare = async (rings: readonly Ring[]): Promise<NodeJS.ProcessEnv> => {
  const steps = showSteps(process.stdout)
  const packages = [...new Set(rings.flatMap(ring => PACKAGES[ring]))]
  await steps('Packages', note => note(installMissing(packages).join(', ') || 'all installed'))
  await steps('SSH ciphers', async note => note(await ensureSshCrypto()))
  if (rings.includes('journeys')) await steps('Browser interface', async note => note(await ensureWeb()))
  return { [PACKED_PLACE]: await steps('Test files', packTests) }
}

const environmentFor = (name: string): NodeJS.ProcessEnv => ({
  ...environmentOfTests(process.env),
  // Hundreds of processes load the same files; compiled once, each starts in half the time.
  NODE_COMPILE_CACHE: inRepository('.cache', 'node'),
  // Asking of each of a thousand files whether it is a link takes a tenth of that.
  NODE_PRESERVE_SYMLINKS: '1',
  ...(name === 'soak' ? { FLEETPRESS_SOAK: '1' } : {}),
  ...(name === 'quick' ? { FLEETPRESS_QUICK: '1' } : {}),
})

/** Next to the first tests, which leave a processor idle whenever they wait. */
const checksFor = (name: string, rings: readonly Ring[], env: NodeJS.ProcessEnv): Promise<string[]> => {
  if (!rings.includes('unit')) return Promise.resolve([])
  return runStaticChecks(name === 'quick' ? 'quick' : 'all', env)
}

/** Runs the tests of a ring or of all; the last line says how they ended. */
export const test = async (name = 'all'): Promise<void> => {
  const rings = ringsFor(name)
  const found = findTestFiles(ROOT)
  refuseLost(found)
  const files =
    name === 'quick'
      ? quickFiles(ROOT, found, changedFiles(ROOT))
      : found.filter(file => rings.some(ring => ringOf(file) === ring))
  const startedAt = performance.now()
  const env = { ...environmentFor(name), ...(await prepare(rings)) }
  const [broken, ran] = await Promise.all([checksFor(name, rings, env), runLanes(files, env)])
  keepTimes(ran.times)
  showTimes(name, ran.times, performance.now() - startedAt)
  showEnd(ran.totals, broken)
}

const showEnd = (totals: Totals, broken: readonly string[]): void => {
  if (broken.length > 0) say(`Other failures: ${broken.join(', ')}.`)
  if (totals.skipped > 0) say(`${totals.skipped} tests were skipped, which counts as failed.`)
  if (totals.passed + totals.failed + totals.skipped === 0) say('No tests ran, which counts as failed.')
  const failed = totals.failed + totals.skipped + broken.length
  out(`${totals.passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || totals.passed === 0 ? EXIT.failure : EXIT.ok
}
