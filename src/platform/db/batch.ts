import type { CompiledQuery, InsertObject } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** Statements of a few sizes, so that any number of rows is made of statements that were compiled before. */
const SIZES = [100, 10, 1]

/** Inserts many rows of one shape. Building the statement costs more than running it, so each size is built once. */
export const batchInsert = <T extends keyof Tables>(table: T, columns: readonly (keyof Tables[T] & string)[]) => {
  /** Per database, since each kind writes its placeholders in its own way. */
  const compiledFor = new WeakMap<object, Map<number, CompiledQuery>>()
  const statement = (db: Db, size: number): CompiledQuery => {
    const { adapter } = db.getExecutor()
    const compiled = compiledFor.get(adapter) ?? new Map<number, CompiledQuery>()
    compiledFor.set(adapter, compiled)
    const cached = compiled.get(size)
    if (cached) return cached
    const row = Object.fromEntries(columns.map(column => [column, null])) as unknown as InsertObject<Tables, T>
    const built = db
      .insertInto(table)
      .values(Array.from({ length: size }, () => row))
      .compile()
    compiled.set(size, built)
    return built
  }
  return async (db: Db, rows: readonly Tables[T][]): Promise<void> => {
    let at = 0
    for (const size of SIZES) {
      for (; rows.length - at >= size; at += size) {
        const parameters = rows.slice(at, at + size).flatMap(row => columns.map(column => row[column]))
        await db.executeQuery({ ...statement(db, size), parameters })
      }
    }
  }
}
