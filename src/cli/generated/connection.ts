import { type Config, readConfig } from '#platform/config/config.ts'
import { type AnyArgs, callUrl, type Outgoing } from '#platform/contract/client.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { EXIT, errnoOf, Failure } from '../failure.ts'
import { hostOf, type Place } from '../panel/health.ts'
import { findRunning } from '../panel/running.ts'
import { type Open, opener, type Target, transport } from './transport.ts'

export interface Connection {
  send: (request: Outgoing) => Promise<unknown>
  call: (endpoint: Endpoint, args: AnyArgs) => Promise<unknown>
  /** For bytes: the answer as soon as it begins. */
  open: Open
}

const DEFAULT_TIMEOUT_SECONDS = 120

const parseUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new Failure('--url (or FLEETPRESS_URL) takes an address such as https://panel.example.com.', EXIT.usage)
}

const isThisMachine = (url: URL): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)

const remote = (text: string, needsKey: boolean): Target => {
  const url = parseUrl(text)
  const key = process.env.FLEETPRESS_KEY || undefined
  if (needsKey && key === undefined) {
    throw new Failure(`Set FLEETPRESS_KEY to an API key of the panel at ${url.origin}.`, EXIT.auth)
  }
  if (key !== undefined && url.protocol === 'http:' && !isThisMachine(url)) {
    throw new Failure('The key would be sent unencrypted: use an https address.', EXIT.usage)
  }
  return { url, key, hostHeader: undefined, advice: 'check the address, and that the panel is running' }
}

/** Where the running panel listens; who may not look, but holds a key, goes by the configuration. */
const recordedPlace = (config: Config): Place => {
  try {
    return findRunning(config.dataDir)?.record ?? config
  } catch (error) {
    if (errnoOf(error) !== 'EACCES' || !process.env.FLEETPRESS_KEY) throw error
    return config
  }
}

/** This machine's panel is reached past proxies and public names, with a key that only its data folder holds. */
const local = async (needsKey: boolean): Promise<Target> => {
  const config = readConfig(process.env)
  const place = recordedPlace(config)
  const host = hostOf(place)
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${place.port}`)
  const own = process.env.FLEETPRESS_KEY || undefined
  const key = own ?? (needsKey ? await (await import('#app/local.ts')).cliKey(config) : undefined)
  return { url, key, hostHeader: `localhost:${place.port}`, advice: 'start it with `./fleetpress up`' }
}

export const connect = async (
  address: string | undefined,
  needsKey: boolean,
  timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
): Promise<Connection> => {
  const given = address ?? (process.env.FLEETPRESS_URL || undefined)
  const target = given === undefined ? await local(needsKey) : remote(given, needsKey)
  const timeoutMs = timeoutSeconds * 1000
  const send = transport(target, timeoutMs)
  return {
    send,
    open: opener(target, timeoutMs),
    call: (endpoint, args) => send({ method: endpoint.method, url: callUrl(endpoint, args), body: args.body }),
  }
}
