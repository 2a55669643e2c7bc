import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { SampleTable, Subject } from './tables.ts'

export type SampleRow = SampleTable

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long the rows of each step are kept. */
const KEPT = [
  { stepMinutes: 1, keepMs: 26 * HOUR_MS },
  { stepMinutes: 10, keepMs: 8 * DAY_MS },
  { stepMinutes: 60, keepMs: 400 * DAY_MS },
] as const

const ROWS_AT_ONCE = 100
const SUBJECTS_PER_TRANSACTION = 50

const AVERAGES = ['up_percent', 'cpu_ppm', 'mem_kib', 'load_percent', 'net_in_kib_per_s', 'net_out_kib_per_s'] as const
const MAXIMA = ['cpu_max_ppm', 'mem_max_kib', 'disk_mib', 'load_max_percent'] as const
const VALUES = [...AVERAGES, ...MAXIMA] as const

/** What is there already stays: another panel on this database, or another server that claims the same site, was first. */
export const insertSamples = (db: Db, rows: readonly SampleRow[]): Promise<void> =>
  db.transaction().execute(async trx => {
    for (let index = 0; index < rows.length; index += ROWS_AT_ONCE) {
      await trx
        .insertInto('sample')
        .values(rows.slice(index, index + ROWS_AT_ONCE))
        .onConflict(conflict => conflict.doNothing())
        .execute()
    }
  })

export const hasSamples = async (db: Db, subject: Subject): Promise<boolean> =>
  (await db.selectFrom('sample').select('at').where('subject', '=', subject).limit(1).executeTakeFirst()) !== undefined

export const deleteSamples = async (db: Db, subject: Subject): Promise<void> => {
  await db.deleteFrom('sample').where('subject', '=', subject).execute()
}

/** The lowest CPU of the last minutes, in millionths of the server; null unless nearly every minute was measured. */
export const lowestCpuPpm = async (db: Db, subject: Subject, minutes: number, now: number): Promise<number | null> => {
  const row = await db
    .selectFrom('sample')
    .select(({ fn }) => [fn.count<number>('cpu_ppm').as('count'), fn.min('cpu_ppm').as('lowest')])
    .where('subject', '=', subject)
    .where('step_minutes', '=', 1)
    .where('at', '>', now - (minutes + 1) * MINUTE_MS)
    .where('at', '<=', now)
    .executeTakeFirstOrThrow()
  return row.count >= minutes ? row.lowest : null
}

const average = <C extends string>(column: C) =>
  sql<number | null>`cast(round(avg(${sql.ref(column)})) as bigint)`.as(column)
const maximum = <C extends string>(column: C) => sql<number | null>`max(${sql.ref(column)})`.as(column)

/** Averages and maxima per step, made by the database; empty steps are left out. */
const condensed = (db: Db, subject: Subject, stepMinutes: number) => {
  const at = sql<number>`at - at % ${sql.lit(stepMinutes * MINUTE_MS)}`
  return db
    .selectFrom('sample')
    .select(at.as('at'))
    .select(AVERAGES.map(average))
    .select(MAXIMA.map(maximum))
    .where('subject', '=', subject)
    .groupBy(at)
}

export type Point = Pick<SampleRow, 'at' | (typeof VALUES)[number]>

/** From which hours on steps are how long: never more than 360 points. */
const RESOLUTIONS = [
  { hours: 6, stepMinutes: 1 },
  { hours: 12, stepMinutes: 2 },
  { hours: 24, stepMinutes: 5 },
  { hours: 60, stepMinutes: 10 },
  { hours: 120, stepMinutes: 20 },
] as const

/** Oldest first. A step without a sample is left out: a gap stays a gap. */
export const readHistory = async (
  db: Db,
  subject: Subject,
  hours: number,
  now: number,
): Promise<{ stepSeconds: number; points: Point[] }> => {
  const stepMinutes = RESOLUTIONS.find(resolution => hours <= resolution.hours)?.stepMinutes ?? 30
  const stepMs = stepMinutes * MINUTE_MS
  const from = Math.ceil((now - hours * HOUR_MS) / stepMs) * stepMs
  // Whole hours are thinned together, so no step is made of rows of both kinds.
  const minutesFrom = stepMinutes < 10 ? from : Math.max(from, (await lastOf(db, subject, 10, now)) + 10 * MINUTE_MS)
  const points = await condensed(db, subject, stepMinutes)
    .where(where =>
      where.or([
        where.and([where('step_minutes', '=', 1), where('at', '>=', minutesFrom), where('at', '<=', now)]),
        where.and([where('step_minutes', '=', 10), where('at', '>=', from), where('at', '<', minutesFrom)]),
      ]),
    )
    .orderBy('at')
    .execute()
  return { stepSeconds: stepMinutes * 60, points }
}

/** When the last row of that step begins; long ago without one. */
const lastOf = async (db: Db, subject: Subject, stepMinutes: number, before: number): Promise<number> => {
  const row = await db
    .selectFrom('sample')
    .select('at')
    .where('subject', '=', subject)
    .where('step_minutes', '=', stepMinutes)
    .where('at', '<', before)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? -DAY_MS
}

/** Makes the longer steps of every full hour that has none yet, and deletes what is older than its step is kept. */
export const thinSamples = async (db: Db, now: number): Promise<void> => {
  const subjects = await listSubjects(db)
  for (let index = 0; index < subjects.length; index += SUBJECTS_PER_TRANSACTION) {
    await db.transaction().execute(async trx => {
      for (const subject of subjects.slice(index, index + SUBJECTS_PER_TRANSACTION)) await thin(trx, subject, now)
    })
  }
}

const thin = async (db: Db, subject: Subject, now: number): Promise<void> => {
  const thisHour = now - (now % HOUR_MS)
  const from = (await lastOf(db, subject, 60, thisHour)) + HOUR_MS
  for (const stepMinutes of [10, 60]) {
    const rows = condensed(db, subject, stepMinutes)
      .where('step_minutes', '=', 1)
      .where('at', '>=', from)
      .where('at', '<', thisHour)
      .select([sql.val(subject).as('subject'), sql.lit(stepMinutes).as('step_minutes')])
    await db
      .insertInto('sample')
      .columns(['at', ...VALUES, 'subject', 'step_minutes'])
      .expression(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
  for (const { stepMinutes, keepMs } of KEPT) {
    await db
      .deleteFrom('sample')
      .where('subject', '=', subject)
      .where('step_minutes', '=', stepMinutes)
      .where('at', '<', now - keepMs)
      .execute()
  }
}

/** One look per subject into the index, where `distinct` would read every row. */
const listSubjects = async (db: Db): Promise<Subject[]> => {
  const subjects: Subject[] = []
  for (;;) {
    const next = await db
      .selectFrom('sample')
      .select('subject')
      .where('subject', '>', subjects.at(-1) ?? ('' as Subject))
      .orderBy('subject')
      .limit(1)
      .executeTakeFirst()
    if (!next) return subjects
    subjects.push(next.subject)
  }
}
