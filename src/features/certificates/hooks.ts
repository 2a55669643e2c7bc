import type { DnsChallenge } from '#drivers/acme/order.ts'

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** A certificate on a server is another one now: what serves visitors there loads it. */
    certificatePushed: { payload: { serverId: number }; answer: void }
    /** A wildcard can only be proven by DNS: who can do it? Undefined when no one can at the moment. */
    dnsChallenge: { payload: { signal: AbortSignal }; answer: DnsChallenge | undefined }
  }
}
