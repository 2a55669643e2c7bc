import { z } from 'zod'
import { ServerId } from '#platform/contract/identifiers.ts'

const VERDICTS = ['ok', 'missing', 'wrong', 'unknown'] as const
export const Verdict = z.enum(VERDICTS)

/** What came of a change on each server. */
export const Pushed = z.array(z.object({ serverId: ServerId, ok: z.boolean(), problem: z.string().nullable() }))

export const ReverseDns = z.object({
  verdict: Verdict,
  message: z.string(),
  names: z.array(z.string()).describe('what the address of the server resolves to'),
})

export const RelayStatus = z.object({
  serverId: ServerId,
  name: z.string(),
  hostname: z.string().describe('what the relay calls itself'),
  isDefaultHostname: z.boolean(),
  publicIp: z.string().nullable(),
  relay: z.enum(['running', 'stopped', 'missing', 'unknown']),
  signer: z.enum(['running', 'stopped', 'unknown']),
  queueDepth: z.number().nullable().describe('messages that wait; null when the server did not respond'),
  reverseDns: ReverseDns,
  readAt: z.number().nullable().describe('when the log of the relay was last read'),
  problem: z.string().nullable(),
})
export type RelayStatus = z.infer<typeof RelayStatus>

export const SetupCheck = z.object({
  id: z.enum(['relay', 'hostname', 'reverse-dns', 'port-25']),
  title: z.string(),
  verdict: Verdict,
  message: z.string(),
  todo: z.string().nullable().describe('what to do when it is not OK'),
})
export type SetupCheck = z.infer<typeof SetupCheck>
