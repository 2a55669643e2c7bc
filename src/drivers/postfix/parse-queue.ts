import { z } from 'zod'

const Line = z.object({
  queue_name: z.string(),
  queue_id: z.string(),
  arrival_time: z.number(),
  message_size: z.number(),
  sender: z.string(),
  recipients: z.array(z.object({ address: z.string(), delay_reason: z.string().optional() })),
})

export interface QueuedMessage {
  readonly queueId: string
  /** active, deferred, hold or incoming. */
  readonly queue: string
  readonly arrivedAt: number
  readonly sizeBytes: number
  readonly from: string
  readonly recipients: readonly { readonly to: string; readonly reason: string | null }[]
}

/** What `postqueue -j` answers: one JSON object a line. One that cannot be read is left out. */
export const parseQueue = (output: string): QueuedMessage[] =>
  output.split('\n').flatMap(line => {
    const parsed = Line.safeParse(jsonOf(line))
    return parsed.success ? [toMessage(parsed.data)] : []
  })

const toMessage = (line: z.infer<typeof Line>): QueuedMessage => ({
  queueId: line.queue_id,
  queue: line.queue_name,
  arrivedAt: line.arrival_time * 1000,
  sizeBytes: line.message_size,
  from: line.sender,
  recipients: line.recipients.map(({ address, delay_reason = null }) => ({ to: address, reason: delay_reason })),
})

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
