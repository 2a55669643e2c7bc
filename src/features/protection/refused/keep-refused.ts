import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#platform/db/database.ts'
import { parseRefused, type RefusedLine } from './parse-refused.ts'
import { keepRefused } from './refused-store.ts'

export interface LogPart {
  readonly lines: readonly string[]
  /** When each known site was created: what came before belongs to one that had the same name. */
  readonly madeAt: ReadonlyMap<string, number>
}

/** So that no request to the panel waits longer than some ten milliseconds. */
const LINES_PER_TURN = 1000

/** Keeps what the edge refused. */
export const readRefused = async (
  { db, now }: { db: Db; now(): number },
  { lines, madeAt }: LogPart,
): Promise<void> => {
  const latest = now()
  const refused: RefusedLine[] = []
  for (const [index, text] of lines.entries()) {
    if (index % LINES_PER_TURN === LINES_PER_TURN - 1) await nextTurn()
    const line = parseRefused(text)
    const made = line && madeAt.get(line.site)
    // A server whose clock is ahead must not fill hours that have not come.
    if (line && made !== undefined && line.at >= made) refused.push({ ...line, at: Math.min(line.at, latest) })
  }
  if (refused.length > 0) await keepRefused(db, refused)
}
