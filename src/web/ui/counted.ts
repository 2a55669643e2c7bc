/** `1 site`, `1,000 sites`. */
export const counted = (count: number, one: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${one}s`
