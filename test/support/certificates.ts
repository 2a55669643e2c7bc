import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { openFoundation } from '#app/foundation.ts'
import type { CertificateScope, Issuance } from '#features/certificates/issuance.ts'
import { readConfig } from '#platform/config/config.ts'
import type { Database } from '#platform/db/database.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { type ChallengeServer, type Pebble, type PebbleOptions, startChallengeServer, startPebble } from './pebble.ts'
import { newPostgresDatabase } from './postgres.ts'

export interface CertificateHouse {
  scope: CertificateScope
  /** On its own connection, as another process has it. */
  otherScope(): Promise<CertificateScope>
  pebble: Pebble
  web: ChallengeServer
  rootDir: string
  /** How often the edge was told to load what was pushed. */
  reloads(): number
  issuance(part?: Partial<Issuance>): Issuance
  challengeFiles(): string[]
  /** What is in the folder that the edge reads, hidden ones included. */
  pushed(): string[]
  stop(): Promise<void>
}

export interface HouseOptions extends Partial<PebbleOptions> {
  engineName?: 'sqlite' | 'postgres'
  now?: () => number
  log?: Logger
}

const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), `fleetpress-${name}-`))

const entries = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** A database, a server that is a folder, an authority, and the web server that the authority asks. */
export const certificateHouse = async (options: HouseOptions = {}): Promise<CertificateHouse> => {
  const { engineName = 'sqlite', now = Date.now, log = pino({ level: 'silent' }), ...authority } = options
  const [rootDir, dataDir] = [newFolder('root'), newFolder('data')]
  const databaseUrl = engineName === 'postgres' ? { DATABASE_URL: await newPostgresDatabase() } : {}
  const config = readConfig({ FLEETPRESS_DATA: dataDir, ...databaseUrl })
  const opened: Database[] = []
  const host = new LocalHost()
  const otherScope = async (): Promise<CertificateScope> => {
    const { database, box } = await openFoundation(config)
    opened.push(database)
    return { db: database.db, secrets: box, hosts: { get: () => host }, log, now }
  }
  const web = await startChallengeServer(join(rootDir, 'edge/acme'))
  const pebble = await startPebble({ httpPort: web.port, ...authority })
  let reloads = 0
  const issuance = (part: Partial<Issuance> = {}): Issuance => ({
    serverId: 1,
    directoryUrl: pebble.directoryUrl,
    email: 'ops@example.com',
    rootDir,
    reload: async () => void (reloads += 1),
    signal: AbortSignal.timeout(120_000),
    ...part,
  })
  return {
    scope: await otherScope(),
    otherScope,
    pebble,
    web,
    rootDir,
    reloads: () => reloads,
    issuance,
    challengeFiles: () => entries(join(rootDir, 'edge/acme')),
    pushed: () => entries(join(rootDir, 'edge/certs')),
    stop: async () => {
      // One that waits for ever inside a killed attempt never closes.
      await opened[0]?.close()
      await pebble.stop()
      await web.stop()
      for (const folder of [rootDir, dataDir]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
