import { PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'

const CHANNEL = 'fleetpress'

/** All our integers are below 2^53, and JavaScript numbers are what every other part expects. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export const openPostgres = (url: string) => {
  const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'fleetpress' })
  // An idle connection that the server closes is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {})
  return { dialect: new PostgresDialect({ pool, cursor: Cursor }) }
}

/** Hears what other panel processes announce; reconnects by itself until stopped. */
export const listenPostgres = (url: string, onMessage: (text: string) => void) => {
  let stopped = false
  let current: pg.Client | undefined
  const connect = async () => {
    const connection = new pg.Client({ connectionString: url, application_name: 'fleetpress-listen' })
    current = connection
    connection.on('notification', message => onMessage(message.payload ?? ''))
    const again = () => {
      if (stopped || current !== connection) return
      current = undefined
      setTimeout(() => void connect(), 1000).unref()
    }
    connection.on('error', again)
    connection.on('end', again)
    try {
      await connection.connect()
      await connection.query(`listen ${CHANNEL}`)
    } catch {
      again()
    }
  }
  const ready = connect()
  return {
    ready,
    stop: async () => {
      stopped = true
      await current?.end().catch(() => {})
    },
  }
}

export const notifyChannel = CHANNEL
