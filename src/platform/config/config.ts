import { X509Certificate } from 'node:crypto'
import { Resolver } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { Secret } from '#platform/host/secret.ts'

const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'must be an address or a range such as 10.0.0.0/8',
})

/** Links are made by putting a path behind it, so nothing else may be in it. */
const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url) return false
  const { username, password, pathname, search, hash } = url
  return username + password + search + hash === '' && pathname === '/'
}

const holdsCertificate = (file: string): boolean => {
  try {
    return new X509Certificate(readFileSync(file)).subject !== ''
  } catch {
    return false
  }
}

const isDnsServer = (text: string): boolean => {
  try {
    new Resolver().setServers([text])
    return true
  } catch {
    return false
  }
}

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

const dnsServer = z.string().refine(isDnsServer, 'must be an address, with or without a port, such as 192.0.2.1:53')

/** Every setting that is needed before the database is open. The rest is in the panel's own settings. */
const Environment = z.object({
  FLEETPRESS_DATA: z.string().min(1).default('/var/lib/fleetpress'),
  FLEETPRESS_PORT: z.coerce.number().int().min(1).max(65535).default(8080),
  FLEETPRESS_LISTEN: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin, 'must be an address such as https://panel.example.com, without a path')
    .optional(),
  TRUSTED_PROXIES: z.string().default('').transform(partsOf).pipe(z.array(address)),
  DNS_SERVERS: z.string().default('').transform(partsOf).pipe(z.array(dnsServer)),
  DNS_TOKEN: z
    .string()
    .trim()
    .transform(text => new Secret(text))
    .optional(),
  FLEETPRESS_CA_FILE: z
    .string()
    .refine(holdsCertificate, 'must be a file with certificates in PEM form')
    .transform(file => resolve(file))
    .optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export interface Config {
  dataDir: string
  port: number
  listen: string
  /** Where people reach the panel; every link it sends starts with this. No slash at the end. */
  publicUrl: string
  trustedProxies: string[]
  /** Name servers for look-ups; those of this machine when empty. */
  dnsServers: string[]
  /** For the DNS provider, while none is stored in the panel. */
  dnsToken: Secret | undefined
  /** Certificates of authorities that are trusted apart from the public ones. */
  caFile: string | undefined
  /** PostgreSQL when set, the embedded SQLite file otherwise. */
  databaseUrl: string | undefined
  logLevel: string
}

/** Wrong configuration. The panel exits with 78 (EX_CONFIG) and listens on nothing. */
export class ConfigError extends Error {}

export const CONFIG_FILE = 'fleetpress.env'

/** Environment first, then the file in the data folder, then defaults. */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const dataDir = resolve(env.FLEETPRESS_DATA || '/var/lib/fleetpress')
  const file = join(dataDir, CONFIG_FILE)
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const given = Object.fromEntries(
    Object.entries({ ...fromFile, ...env }).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`The configuration is invalid (environment or ${file}). ${problems.join('; ')}`)
  }
  const value = parsed.data
  return {
    dataDir,
    port: value.FLEETPRESS_PORT,
    listen: value.FLEETPRESS_LISTEN,
    publicUrl: (value.PUBLIC_URL ?? `http://localhost:${value.FLEETPRESS_PORT}`).replace(/\/+$/, ''),
    trustedProxies: value.TRUSTED_PROXIES,
    dnsServers: value.DNS_SERVERS,
    dnsToken: value.DNS_TOKEN,
    caFile: value.FLEETPRESS_CA_FILE,
    databaseUrl: value.DATABASE_URL,
    logLevel: value.LOG_LEVEL,
  }
}
