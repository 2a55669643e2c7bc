import { z } from 'zod'
import { Hostname, IpAddress } from '#platform/contract/identifiers.ts'
import { Secret } from '#platform/host/secret.ts'

/** The hash behind each TSIG algorithm that is still safe to use. */
export const ALGORITHMS = {
  'hmac-sha224': 'sha224',
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
} as const
export type Algorithm = keyof typeof ALGORITHMS

export interface NameServer {
  readonly host: string
  readonly port: number
  readonly keyName: string
  readonly algorithm: Algorithm
  readonly key: Secret
}

const DNS_PORT = 53
const KEY_NAME = /^[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4}){3,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const Port = z.coerce.number().int().min(1).max(65_535)

/** `ns1.example.com:53 hmac-sha256 panel-key c2VjcmV0…`: undefined for anything else. */
export const parseToken = (text: string): NameServer | undefined => {
  const [place = '', algorithm = '', name = '', key = '', ...more] = text.trim().split(/ +/)
  const found = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[^:]+))(?::(?<port>\d{1,5}))?$/.exec(place)?.groups
  const host = found?.six ?? found?.host ?? ''
  const port = Port.safeParse(found?.port ?? DNS_PORT)
  const keyName = name.toLowerCase().replace(/\.$/, '')
  const isHost = Hostname.safeParse(host).success || IpAddress.safeParse(host).success
  if (more.length > 0 || !isHost || !port.success || !(algorithm in ALGORITHMS)) return undefined
  if (keyName.length > 200 || !KEY_NAME.test(keyName) || !BASE64.test(key)) return undefined
  return { host, port: port.data, keyName, algorithm: algorithm as Algorithm, key: new Secret(key) }
}
