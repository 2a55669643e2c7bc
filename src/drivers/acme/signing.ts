import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { Secret } from '#platform/host/secret.ts'

/** A new private key as PEM, for an account or a certificate. */
export const newPrivateKey = (): Secret => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
}

export interface Signed {
  url: string
  nonce: string
  /** Undefined asks for what is at the address; everything is asked with a signature. */
  payload: unknown
  /** The account's address; undefined shows the key itself, for the one request that makes the account. */
  account: string | undefined
}

/** Signs requests and answers challenges in the name of an account. */
export const signer = (accountKey: Secret) => {
  const key = createPrivateKey(accountKey.reveal())
  // Loaded with the first certificate: a panel at rest needs none of it.
  const jose = import('jose')
  const publicKey = jose.then(({ exportJWK }) => exportJWK(createPublicKey(key)))
  return {
    sign: async ({ url, nonce, payload, account }: Signed): Promise<string> => {
      const identity = account === undefined ? { jwk: await publicKey } : { kid: account }
      const text = payload === undefined ? '' : JSON.stringify(payload)
      const header = { alg: 'ES256', nonce, url, ...identity }
      const { FlattenedSign } = await jose
      return JSON.stringify(await new FlattenedSign(Buffer.from(text)).setProtectedHeader(header).sign(key))
    },
    /** What the web server must answer with, so that the authority knows the account speaks for the name. */
    keyAuthorization: async (token: string): Promise<string> => {
      const { calculateJwkThumbprint } = await jose
      return `${token}.${await calculateJwkThumbprint(await publicKey)}`
    },
  }
}
