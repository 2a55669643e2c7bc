import type { z } from 'zod'
import { holdsMarks } from '#platform/contract/withhold.ts'
import type { SecretBox } from '#platform/secrets/box.ts'

const SEALED = 'sealed:'

/** Inputs and results as stored: JSON, sealed where the schema marks any field as not for everyone. */
export interface JobCodec {
  encode(jobId: string, schema: z.ZodType, value: unknown): string
  decode(jobId: string, stored: string): unknown
}

export const jobCodec = (box: SecretBox): JobCodec => ({
  encode: (jobId, schema, value) => {
    const text = JSON.stringify(value ?? null)
    return holdsMarks(schema) ? SEALED + box.seal(`job:${jobId}`, text) : text
  },
  decode: (jobId, stored) =>
    JSON.parse(stored.startsWith(SEALED) ? box.open(`job:${jobId}`, stored.slice(SEALED.length)) : stored),
})
