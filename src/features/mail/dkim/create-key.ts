import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { insertKey, KEY_PURPOSE, type KeyRow, listKeysOf } from './key-store.ts'

const BITS = 2048
const DAY_MS = 86_400_000
const newPair = promisify(generateKeyPair)

/** A key for a domain that has none signs at once. The one after it waits until DNS has its record. */
export const createKey = async (scope: Scope, domain: string, rotate: boolean): Promise<KeyRow> => {
  const known = await listKeysOf(scope.db, domain)
  const active = known.find(({ state }) => state === 'active')
  if (active && !rotate)
    throw new Problem('conflict', `${domain} already has a DKIM key. Rotate it to create the next one.`)
  const waiting = known.find(({ state }) => state === 'next')
  if (waiting)
    throw new Problem('conflict', `The next key of ${domain} waits for its record. Publish ${waiting.selector} first.`)
  const row = await newKey(scope, domain, {
    selector: selectorAt(scope.now(), known),
    state: active ? 'next' : 'active',
  })
  if (!(await insertKey(scope.db, row)))
    throw new Problem('conflict', `A key of ${domain} was created at the same moment. Refresh the list.`)
  return row
}

/** Named after its day: `fp20261117`, and with a letter if there is one of that day. */
const selectorAt = (now: number, known: readonly KeyRow[]): string => {
  const day = `fp${new Date(now - (now % DAY_MS)).toISOString().slice(0, 10).replaceAll('-', '')}`
  const taken = new Set(known.map(({ selector }) => selector))
  for (const letter of ['', ...'bcdefghijklmnopqrstuvwxyz'.split('')])
    if (!taken.has(`${day}${letter}`)) return `${day}${letter}`
  throw new Problem('conflict', 'This domain got too many keys today. Try again tomorrow.')
}

const newKey = async (
  { secrets, now }: Scope,
  domain: string,
  { selector, state }: Pick<KeyRow, 'selector' | 'state'>,
): Promise<KeyRow> => {
  const { publicKey, privateKey } = await newPair('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return {
    domain,
    selector,
    state,
    public_key: publicKey.toString('base64'),
    sealed_private_key: secrets.seal(KEY_PURPOSE, privateKey),
    created_at: now(),
    retired_at: null,
  }
}
