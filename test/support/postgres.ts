import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './ports.ts'

const PLACE = 'FLEETPRESS_TEST_POSTGRES'
const ROOT_FOLDER = '/usr/lib/postgresql'

const binFolder = (): string => {
  const newest = existsSync(ROOT_FOLDER)
    ? readdirSync(ROOT_FOLDER)
        .toSorted((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined
  if (newest === undefined)
    throw new Error('PostgreSQL is not installed. Run the tests with ./fleetpress test, which installs it.')
  return join(ROOT_FOLDER, newest, 'bin')
}

/** PostgreSQL refuses to run as root, so it runs as its own user, in a folder of this run. */
const asPostgres = (program: string, args: string[]) =>
  execFileSync('runuser', ['-u', 'postgres', '--', join(binFolder(), program), ...args], { stdio: 'ignore' })

/** Starts a cluster for this run; `stop` leaves nothing behind. */
export const startCluster = async (): Promise<{ port: number; stop(): void }> => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-postgres-'))
  const [uid, gid] = ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
  chownSync(folder, uid ?? 0, gid ?? 0)
  const data = join(folder, 'data')
  const port = await freePort()
  asPostgres('initdb', ['-D', data, '-A', 'trust', '-U', 'fleetpress', '--no-sync'])
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`
  asPostgres('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
  return {
    port,
    stop: () => {
      asPostgres('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let own: Promise<number> | undefined

/** The run's cluster where `./fleetpress test` started one, else one of this process's own. */
const clusterPort = (): Promise<number> => {
  const given = process.env[PLACE]
  if (given !== undefined) return Promise.resolve(Number(given))
  own ??= startCluster().then(({ port, stop }) => {
    process.on('exit', stop)
    return port
  })
  return own
}

let count = 0

/** An empty database of this test's own. */
export const newPostgresDatabase = async (): Promise<string> => {
  const port = await clusterPort()
  count += 1
  const name = `test_${process.pid}_${count}_${Date.now()}`
  const admin = new pg.Client({ host: '127.0.0.1', port, user: 'fleetpress', database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  return `postgres://fleetpress@127.0.0.1:${port}/${name}`
}

export const POSTGRES_PLACE = PLACE
