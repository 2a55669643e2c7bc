import type { Actions, Condition } from '#web/client/can.ts'
import { lasting, passing } from '#web/client/can.ts'
import { type DnsState, dns } from '../contract.ts'

interface Subject {
  state: DnsState
  server?: DnsState['servers'][number]
}

const hasToken: Condition<Subject> = ({ state: { token } }) =>
  token.configured ? undefined : passing('Add a DNS token first.')

/** No authority knows names below localhost. */
export const isPublic = (domain: string): boolean => !/(?:^|\.)localhost$/.test(domain)

const hasPublicDomain: Condition<Subject> = ({ server }) =>
  server && !isPublic(server.devDomain) ? lasting('This domain is in no public DNS.') : undefined

const isStored: Condition<Subject> = ({ state: { token } }) =>
  token.setAt === null ? lasting('The token comes from the environment of the panel.') : undefined

/** What can be done about DNS, and when. */
export const dnsActions: Actions<typeof dns, Subject> = {
  contract: dns,
  conditions: {
    dnsTokenDelete: [hasToken, isStored],
    dnsWildcardSet: [hasPublicDomain, hasToken],
  },
}
