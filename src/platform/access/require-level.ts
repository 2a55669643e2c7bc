import { LEVEL_NAMES, type Level, reaches } from '#platform/contract/level.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Actor, levelOf } from './actor.ts'

/** Refuses a caller below the level. The only place where levels are compared; routes and handlers both come here. */
export const requireLevel = (actor: Actor, needed: Level, why = 'this request'): void => {
  const held = levelOf(actor)
  if (reaches(held, needed)) return
  if (actor.kind === 'anonymous') {
    throw new Problem('unauthorized', 'Sign in, or send an API key.')
  }
  throw new Problem(
    'forbidden',
    `${LEVEL_NAMES[needed]} access is required for ${why}. This ${actor.kind === 'connection' ? 'connection' : 'key'} has ${LEVEL_NAMES[held]}.`,
    { needed: LEVEL_NAMES[needed], held: LEVEL_NAMES[held] },
  )
}
