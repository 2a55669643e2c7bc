import { EXIT, Failure } from '../failure.ts'
import { ensureSshCrypto } from '../install/ssh-crypto.ts'
import { environmentOfTests } from '../panel/environment.ts'
import { inRepository, ROOT } from '../repository.ts'
import { out, say } from '../terminal.ts'
import type { Totals } from '../test/count.ts'
import { findTestFiles, isSlow, ringOf } from '../test/find-files.ts'
import { installMissing } from '../test/install.ts'
import { PACKAGES, RINGS, type Ring } from '../test/packages.ts'
import { add, NOTHING, runFiles } from '../test/run-files.ts'
import { runStaticChecks } from '../test/static-checks.ts'
import { showSteps } from '../up/steps.ts'
import { ensureWeb } from '../up/web.ts'

/** Servers and people mostly wait, for a restart, a network that comes back or a page, so two share the machine. */
const CONCURRENCY: Record<Ring, number> = { unit: 2, slow: 1, fleet: 2, journeys: 2, soak: 1 }

const ringsFor = (name: string): Ring[] => {
  if (name === 'all') return ['unit', 'slow', 'fleet', 'journeys']
  if (name === 'soak') return [...RINGS]
  const ring = RINGS.find(one => one === name)
  if (ring) return [ring]
  throw new Failure(
    `There is no ring ${JSON.stringify(name)}: choose unit, slow, fleet, journeys, all or soak.`,
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

const prepare = async (ring: Ring): Promise<void> => {
  const steps = showSteps(process.stdout)
  if (PACKAGES[ring].length > 0) {
    await steps(`Packages for ${ring}`, note => note(installMissing(PACKAGES[ring]).join(', ') || 'all there'))
  }
  await steps('Ciphers for SSH', async note => note(await ensureSshCrypto()))
  if (ring === 'journeys') await steps('Browser interface', async note => note(await ensureWeb()))
}

const runRing = async (ring: Ring, all: string[], env: NodeJS.ProcessEnv): Promise<Totals> => {
  const files = all.filter(file => ringOf(file) === ring)
  if (files.length === 0) {
    out(`${ring}: no test files yet`)
    return NOTHING
  }
  await prepare(ring)
  const together = await runFiles(
    files.filter(file => !isSlow(file)),
    CONCURRENCY[ring],
    env,
  )
  const alone = await runFiles(files.filter(isSlow), 1, env)
  return add(together, alone)
}

/** Runs the tests of a ring or of all; the last line says how they ended. */
export const test = async (name = 'all'): Promise<void> => {
  const rings = ringsFor(name)
  const files = findTestFiles(ROOT)
  refuseLost(files)
  const isSoak = rings.includes('soak')
  const env = {
    ...environmentOfTests(process.env),
    // Hundreds of processes load the same files; compiled once, each starts in half the time.
    NODE_COMPILE_CACHE: inRepository('.cache', 'node'),
    ...(isSoak ? { FLEETPRESS_SOAK: '1' } : {}),
  }
  const broken = rings.includes('unit') ? await runStaticChecks(env) : []
  let totals = NOTHING
  for (const ring of rings) totals = add(totals, await runRing(ring, files, env))
  if (broken.length > 0) say(`Failed before the tests: ${broken.join(', ')}.`)
  if (totals.skipped > 0) say(`${totals.skipped} tests were skipped, which counts as failed.`)
  if (totals.passed + totals.failed + totals.skipped === 0) say('Not one test ran, which counts as failed.')
  const failed = totals.failed + totals.skipped + broken.length
  out(`${totals.passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || totals.passed === 0 ? EXIT.failure : EXIT.ok
}
