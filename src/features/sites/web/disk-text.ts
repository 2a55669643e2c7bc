import type { Site } from '#features/sites/contract.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { countText } from '#web/kit/counted.ts'

const ofLimit = (used: number | null, limit: number | null, text: (value: number) => string): string | null => {
  if (used === null) return null
  return limit === null ? text(used) : `${text(used)} of ${text(limit)}`
}

/** Null before it was measured. */
export const diskText = ({ usedBytes, limitBytes }: Site['disk']) => ofLimit(usedBytes, limitBytes, bytesText)
export const fileCountText = ({ usedFiles, limitFiles }: Site['disk']) => ofLimit(usedFiles, limitFiles, countText)
