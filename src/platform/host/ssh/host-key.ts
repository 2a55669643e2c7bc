import type { ServerHostKeyAlgorithm } from 'ssh2'
import { HostKeyChanged } from '../errors.ts'
import { describeHostKey } from './key-pair.ts'

/** The name of a key is not always the name of how it signs: an RSA key may sign in several ways. */
const SIGNED_BY: Readonly<Record<string, ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
}

export interface KnownHost {
  /** `ssh-ed25519 AAAA…`, as in a known_hosts file; null before the first contact. */
  readonly hostKey: string | null
  /** Keeps the key of the first contact. Nothing is sent to the server before it is kept. */
  pin(hostKey: string): Promise<void>
}

/** Only the kind of key that is trusted is asked for, so that a server cannot get by with another kind. */
export const hostKeyAlgorithms = (hostKey: string | null): ServerHostKeyAlgorithm[] => {
  const known = hostKey === null ? undefined : SIGNED_BY[describeHostKey(hostKey).type]
  return known ?? Object.values(SIGNED_BY).flat()
}

/** Judges the key a server shows. Why it refused is kept, because ssh2 only says that it did. */
export class HostKeyCheck {
  readonly #host: string
  readonly #known: KnownHost
  #accepted: string | null
  refusal: unknown

  constructor(host: string, known: KnownHost) {
    this.#host = host
    this.#known = known
    this.#accepted = known.hostKey
  }

  /** ssh2 asks again whenever keys are exchanged again, so what was pinned at first contact holds from then on. */
  async accepts(key: Buffer): Promise<boolean> {
    const offered = asKnownHost(key)
    try {
      if (this.#accepted === null) {
        await this.#known.pin(offered)
        this.#accepted = offered
      } else if (!isSameKey(this.#accepted, offered)) {
        throw this.#changed(describeHostKey(offered).fingerprint)
      }
      return true
    } catch (error) {
      this.refusal = error
      return false
    }
  }

  /** Why the connection failed, if it was for the key. */
  failureFor(error: Error): unknown {
    if (this.refusal !== undefined) return this.refusal
    return this.#known.hostKey !== null && error.message.includes('no matching host key format')
      ? this.#changed(null)
      : undefined
  }

  #changed(offered: string | null): HostKeyChanged {
    return new HostKeyChanged(this.#host, describeHostKey(this.#accepted ?? '').fingerprint, offered)
  }
}

/** Whatever comment stands behind the key. */
const isSameKey = (one: string, other: string): boolean =>
  one.split(' ').slice(0, 2).join(' ') === other.split(' ').slice(0, 2).join(' ')

/** The bytes of a key begin with the length of its type's name and the name itself. */
export const asKnownHost = (key: Buffer): string =>
  `${key.toString('latin1', 4, 4 + key.readUInt32BE(0))} ${key.toString('base64')}`
