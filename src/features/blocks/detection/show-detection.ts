import type { Scope } from '#platform/scope.ts'
import type { SecurityDetection } from '../contract.ts'
import { detectionSettings } from '../settings.ts'
import { showDecision } from '../show.ts'
import { listDecisions } from './decision-store.ts'
import { detectionOf } from './detector.ts'
import { limitsOf } from './limits.ts'

const SHOWN = 100

export const showDetection = async (scope: Scope): Promise<SecurityDetection> => {
  const settings = await scope.settings.read(detectionSettings)
  const { suspects, followed } = detectionOf(scope)
  const { windowMs, limits } = limitsOf(settings)
  const watched = suspects.list(scope.now(), windowMs)
  return {
    mode: settings.mode,
    limits,
    windowMinutes: settings.windowMinutes,
    blockMinutes: settings.blockMinutes,
    following: [...followed.keys()].toSorted((a, b) => a - b),
    watched: watched.slice(0, SHOWN).map(({ suspect, counts }) => ({
      address: suspect.network.text,
      firstSeenAt: suspect.firstSeenAt,
      lastSeenAt: suspect.lastSeenAt,
      counts,
      sites: [...suspect.sites],
    })),
    watchedTotal: watched.length,
    decisions: (await listDecisions(scope.db, SHOWN)).map(showDecision),
  }
}
