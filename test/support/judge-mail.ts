import { Resolver } from 'node:dns/promises'
import { authenticate } from 'mailauth'
import type { Arrived } from './smtp.ts'

export interface Judgement {
  readonly dkim: string
  readonly spf: string
  readonly dmarc: string
}

/** The name server knows its own zones and refuses others; the world would say that there is no such name. */
const noSuchName = (error: NodeJS.ErrnoException): never => {
  if (error.code === 'EREFUSED') error.code = 'ENOTFOUND'
  throw error
}

/** What a receiver makes of a message that arrived, by what this name server says. */
export const judgeMail = async (message: Arrived, nameServer: string, text = message.text): Promise<Judgement> => {
  const resolver = new Resolver({ timeout: 5000, tries: 2 })
  resolver.setServers([nameServer])
  const { dkim, spf, dmarc } = await authenticate(text, {
    ip: message.address,
    helo: message.helo,
    sender: message.from,
    mta: 'mx.sink.test',
    resolver: async (name, type) => (await resolver.resolve(name, type).catch(noSuchName)) as string[] | string[][],
    disableArc: true,
    disableBimi: true,
  })
  return {
    dkim: dkim.results.map(({ status }) => status.result).join(' '),
    spf: spf === false ? 'none' : spf.status.result,
    dmarc: dmarc === false ? 'none' : dmarc.status.result,
  }
}
