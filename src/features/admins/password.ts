import { hash, type Options, verify } from '@node-rs/argon2'
import { Problem } from '#platform/contract/problem.ts'
import { isMostUsed } from './most-used-passwords.ts'

/** argon2id with 19 MiB, two rounds: about 20 ms, and expensive to try many. */
const OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Checked when there is no such account, so that the answer takes as long as for one that exists. */
const NOBODY = hash('no account has this password', OPTIONS)

const TOO_COMMON = 'must not be one of the 10,000 most used passwords; try a few unrelated words'

/** The hash of a password that someone chooses; `field` is what the request calls it. */
export const hashNewPassword = async (password: string, field = 'password'): Promise<string> => {
  if (isMostUsed(password))
    throw new Problem('validation_error', `Password ${TOO_COMMON}.`, [{ in: 'body', path: field, message: TOO_COMMON }])
  return hash(password, OPTIONS)
}

export const passwordFits = async (stored: string | null | undefined, password: string): Promise<boolean> => {
  const fits = await verify(stored ?? (await NOBODY), password)
  return fits && stored !== null && stored !== undefined
}
