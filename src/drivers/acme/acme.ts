import { z } from 'zod'
import { AcmeFailed, AcmeUnreachable } from './errors.ts'
import { type Answer, createExchange, type Exchange, type ExchangeOptions, parse } from './exchange.ts'
import { completeOrder, type Wanted } from './order.ts'
import { certificateId, type RenewalInfo, readRenewalInfo } from './renewal-info.ts'

/** One account at one certificate authority (RFC 8555). The terms of the authority are agreed to with the first use. */
export interface Acme {
  /** Makes the account, or finds the one this key has, and gives it this contact. Everything else comes after it. */
  openAccount(email: string | null): Promise<string>
  /** The address of a new order; `replaces` is the chain of the certificate that this one follows. */
  placeOrder(names: readonly string[], replaces?: string): Promise<string>
  /** The chain of the certificate as PEM. May be called again for the same order. */
  completeOrder(orderUrl: string, wanted: Wanted): Promise<string>
  renewalInfo(chainPem: string): Promise<RenewalInfo | undefined>
}

const Account = z.object({ status: z.string(), contact: z.array(z.string()).optional() })

/** Failures are AcmeFailed, AcmeRateLimited, AcmeUnreachable, or the reason of `signal`. */
export const createAcme = (options: ExchangeOptions): Acme => {
  const exchange = createExchange(options)
  let account: string | undefined
  const conversation = () => {
    if (account === undefined) throw new Error('the account is opened first')
    return { exchange, account }
  }
  return {
    openAccount: async email => (account = await openAccount(exchange, email)),
    placeOrder: (names, replaces) => placeOrder(exchange, conversation().account, names, replaces),
    completeOrder: (orderUrl, wanted) => completeOrder(conversation(), orderUrl, wanted),
    renewalInfo: chainPem => readRenewalInfo(exchange, chainPem),
  }
}

const openAccount = async (exchange: Exchange, email: string | null): Promise<string> => {
  const { newAccount } = await exchange.readDirectory()
  const contact = email === null ? [] : [`mailto:${email}`]
  const answer = await exchange.post(newAccount, { termsOfServiceAgreed: true, contact }, undefined)
  const url = locationOf(answer)
  const account = parse(answer, Account, 'is not an account')
  // An account that exists already is answered as it is. Not every authority shows the contact.
  if (answer.status === 200 && account.contact?.join() !== contact.join()) await exchange.post(url, { contact }, url)
  return url
}

const placeOrder = async (exchange: Exchange, account: string, names: readonly string[], replaced?: string) => {
  const { newOrder, renewalInfo } = await exchange.readDirectory()
  const identifiers = names.map(value => ({ type: 'dns', value }))
  const replaces = renewalInfo === undefined || replaced === undefined ? undefined : certificateId(replaced)
  const order = (payload: object) => exchange.post(newOrder, payload, account).then(locationOf)
  if (replaces === undefined) return order({ identifiers })
  return order({ identifiers, replaces }).catch((error: unknown) => {
    // It only buys a higher limit; an authority that no longer knows the old certificate refuses the word.
    if (!(error instanceof AcmeFailed)) throw error
    return order({ identifiers })
  })
}

const locationOf = (answer: Answer): string => {
  const location = answer.header('location')
  if (location === null) throw new AcmeUnreachable(answer.url, 'it returned no location')
  return new URL(location, answer.url).href
}
