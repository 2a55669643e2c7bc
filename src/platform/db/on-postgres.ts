import { EventEmitter } from 'node:events'
import { Kysely, sql } from 'kysely'
import type { Database, Memo } from './database.ts'
import { listenPostgres, notifyChannel, openPostgres } from './postgres.ts'
import { subscribe } from './subscribe.ts'
import type { Tables } from './tables.ts'

/** Several processes write here, so nothing is remembered between two looks. */
const NO_MEMO: Memo<never> = { get: () => undefined, set: () => {}, clear: () => {} }

export const openOnPostgres = async (url: string): Promise<Database> => {
  const db = new Kysely<Tables>({ dialect: openPostgres(url).dialect })
  const local = new EventEmitter()
  const listening = listenPostgres(url, topic => local.emit('topic', topic))
  await listening.ready
  return {
    db,
    engine: 'postgres',
    announce: async (topic, on = db) => {
      await sql`select pg_notify(${notifyChannel}, ${topic})`.execute(on)
    },
    onAnnounced: listener => subscribe(local, listener),
    memo: () => NO_MEMO,
    withFrozenView: work =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: async () => {
      await listening.stop()
      await db.destroy()
    },
  }
}
