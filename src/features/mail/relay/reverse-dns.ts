import type { z } from 'zod'
import { type Dns, NoAnswer } from '../domains/ask-dns.ts'
import type { ReverseDns } from './contract.ts'

type Answer = z.infer<typeof ReverseDns>

/** Receivers look up the name of the address that speaks to them, and refuse one that does not fit. */
export const checkReverseDns = async (dns: Dns, hostname: string, address: string | null): Promise<Answer> => {
  if (address === null)
    return { verdict: 'unknown', message: 'The public address of this server is not known.', names: [] }
  try {
    const names = (await dns.namesOf(address)).map(name => name.toLowerCase())
    if (names.length === 0)
      return {
        verdict: 'missing',
        message: `${address} has no reverse DNS. Set it to ${hostname} at your hosting provider.`,
        names,
      }
    if (!names.includes(hostname))
      return {
        verdict: 'wrong',
        message: `${address} resolves to ${names.join(', ')}. Set it to ${hostname} at your hosting provider.`,
        names,
      }
    return { verdict: 'ok', message: `${address} resolves to ${hostname}.`, names }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { verdict: 'unknown', message: 'DNS did not respond.', names: [] }
  }
}
