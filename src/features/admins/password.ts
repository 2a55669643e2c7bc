import { hash, type Options, verify } from '@node-rs/argon2'

/** argon2id with 19 MiB, two rounds: about 20 ms, and expensive to try many. */
const OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Checked when there is no such account, so that the answer takes as long as for one that exists. */
const NOBODY = hash('nobody has this password', OPTIONS)

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS)

export const passwordFits = async (stored: string | null | undefined, password: string): Promise<boolean> => {
  const fits = await verify(stored ?? (await NOBODY), password)
  return fits && stored !== null && stored !== undefined
}
