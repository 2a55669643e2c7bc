const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const
const STEP = 1024

/** `1.5 GB`; at most three figures. */
export const bytesText = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP))))
  const value = bytes / STEP ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[power]}`
}

/** `1.5 MB/s`. */
export const rateText = (bytesPerSecond: number): string => `${bytesText(bytesPerSecond)}/s`

/** `42 %` of a share from 0 to 1. */
export const percentText = (share: number): string => `${Math.round(share * 100)} %`
