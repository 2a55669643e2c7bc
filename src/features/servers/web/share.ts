import { bytesText } from '#web/kit/bytes.ts'

/** `3.1 GB of 8 GB` and how much of all that is; unknown when either is. */
export const shareOf = (used: number | null = null, total: number | null = null) =>
  used === null || !total
    ? { share: null, text: 'unknown' }
    : { share: used / total, text: `${bytesText(used)} of ${bytesText(total)}` }
