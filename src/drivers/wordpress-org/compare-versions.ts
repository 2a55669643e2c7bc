const ORDER = ['dev', 'alpha', 'beta', 'rc', '#', 'pl']
const SHORT: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', p: 'pl' }
const NUMBER = '#'
/** A word that PHP does not know comes before all others. */
const UNKNOWN = -1

const partsOf = (version: string): string[] =>
  version
    .toLowerCase()
    .replace(/[-_+]/g, '.')
    .replace(/(\d)([^\d.])/g, '$1.$2')
    .replace(/([^\d.])(\d)/g, '$1.$2')
    .split('.')
    .filter(part => part !== '')

const isNumber = (part: string): boolean => /^\d+$/.test(part)

const rankOf = (part: string): number => {
  const word = isNumber(part) ? NUMBER : (SHORT[part] ?? part)
  return word === '' ? ORDER.indexOf(NUMBER) - 0.5 : ORDER.includes(word) ? ORDER.indexOf(word) : UNKNOWN
}

const compareParts = (a: string, b: string): number =>
  isNumber(a) && isNumber(b) ? Number(a) - Number(b) : rankOf(a) - rankOf(b)

/** Below zero when `a` is older, as WordPress itself compares versions: PHP's `version_compare`. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = compareParts(left[at] ?? '', right[at] ?? '')
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}
