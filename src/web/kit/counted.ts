/** `1,234`: how many there are of something, which is never a part of one. */
export const countText = (count: number): string => Math.round(count).toLocaleString('en')

/** `1 row`, `1,000 rows`. */
export const counted = (count: number, one: string): string =>
  count === 1 ? `1 ${one}` : `${countText(count)} ${one}s`
