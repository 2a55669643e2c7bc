import { cloudflare } from '#drivers/cloudflare/cloudflare.ts'
import { rfc2136 } from '#drivers/rfc2136/rfc2136.ts'
import { parseToken } from '#drivers/rfc2136/token.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { DnsProvider } from '#platform/dns/provider.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Scope } from '#platform/scope.ts'
import { findToken, keepToken } from './dns-store.ts'
import type { DnsTokenTable } from './tables.ts'

type Asking = Pick<Scope, 'db' | 'secrets' | 'installation'>

const PURPOSE = 'dns-token'
const CLOUDFLARE_TOKEN = /^[A-Za-z0-9_-]{30,200}$/

export interface KnownToken {
  readonly provider: DnsTokenTable['provider']
  connect(signal: AbortSignal): DnsProvider
}

/** Who a token is for follows from how it is written. Undefined for what is no token at all. */
export const knownToken = (text: string): KnownToken | undefined => {
  const server = parseToken(text)
  if (server) return { provider: 'rfc2136', connect: signal => rfc2136(server, { signal }) }
  if (!CLOUDFLARE_TOKEN.test(text)) return undefined
  const token = new Secret(text)
  return { provider: 'cloudflare', connect: signal => cloudflare({ token, signal }) }
}

export interface HeldToken extends KnownToken {
  readonly text: Secret
  /** Null for the one in the environment, which counts while none is stored. */
  readonly setAt: number | null
}

export const readToken = async ({ db, secrets, installation }: Asking): Promise<HeldToken | undefined> => {
  const row = await findToken(db)
  const text = row ? new Secret(secrets.open(PURPOSE, row.sealed_token)) : installation.dnsToken
  const known = text && knownToken(text.reveal())
  return known && { ...known, text, setAt: row?.set_at ?? null }
}

export const sealToken = (scope: Pick<Scope, 'db' | 'secrets' | 'now'>, text: string, known: KnownToken) =>
  keepToken(scope.db, {
    provider: known.provider,
    sealed_token: scope.secrets.seal(PURPOSE, text),
    set_at: scope.now(),
  })

/** The provider that the stored token is for. */
export const openProvider = async (scope: Asking, signal: AbortSignal): Promise<DnsProvider> => {
  const token = await readToken(scope)
  if (!token) throw new Problem('conflict', 'There is no DNS token. Add one under Settings, DNS.')
  return token.connect(signal)
}

export const hasToken = async ({ db, installation }: Pick<Scope, 'db' | 'installation'>): Promise<boolean> =>
  installation.dnsToken !== undefined || (await findToken(db)) !== undefined
