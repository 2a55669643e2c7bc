import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readHistory } from '#features/monitor/sample-store.ts'
import * as monitoring from '#migrations/0004-monitoring.ts'
import { openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import { NOW, SITES, writeYear } from '#test/support/year-of-samples.ts'
import { median, report } from './report.ts'

const ROUNDS = 50
const HOURS = 168
const SUBJECT = 'site:customer-shop-17'

const timed = async (work: () => unknown): Promise<number[]> => {
  const taken: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now()
    await work()
    taken.push(performance.now() - began)
  }
  return taken
}

const folder = mkdtempSync(join(tmpdir(), 'fleetpress-bench-'))
try {
  const sqliteFile = join(folder, 'panel.db')
  const database = await openDatabase({ sqliteFile, databaseUrl: undefined })
  await migrate(database.db, { '0004-monitoring': monitoring })
  await writeYear(database)
  const ours = await timed(() => readHistory(database.db, SUBJECT, HOURS, NOW))
  const plain = new DatabaseSync(sqliteFile, { readOnly: true })
  const query = plain.prepare('select * from sample where subject = ? and step_minutes = 10 and at > ? order by at')
  const theirs = await timed(() => query.all(SUBJECT, NOW - HOURS * 3_600_000))
  plain.close()
  await database.close()
  report('history', [
    {
      name: `a week of one site, of a year of ${SITES}`,
      unit: 'ms',
      ours: median(ours),
      peer: { name: 'node:sqlite, the rows as they are', value: median(theirs) },
      limit: { atMost: 3 },
    },
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
