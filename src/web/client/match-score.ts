const EXACT = 8
const START = 6
const WITHIN = 3
const MISTYPED = 2
/** A match in the keywords counts less than one in the title. */
const KEYWORD_SHARE = 0.5

/** Whether two words differ by at most this many letters added, left out, replaced or swapped. */
const isWithin = (a: string, b: string, limit: number): boolean => {
  if (Math.abs(a.length - b.length) > limit) return false
  let [before, above] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row]
    for (let at = 1; at <= b.length; at += 1) {
      const isSame = a[row - 1] === b[at - 1]
      const steps = [(above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1, (above[at - 1] ?? 0) + (isSame ? 0 : 1)]
      if (row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1])
        steps.push((before[at - 2] ?? 0) + 1)
      line.push(Math.min(...steps))
    }
    ;[before, above] = [above, line]
  }
  return (above[b.length] ?? limit + 1) <= limit
}

const typosIn = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

const wordScore = (typed: string, word: string): number => {
  if (word === typed) return EXACT
  if (word.startsWith(typed)) return START
  if (typed.length > 2 && word.includes(typed)) return WITHIN
  const limit = typosIn(typed)
  return limit > 0 && (isWithin(typed, word, limit) || isWithin(typed, word.slice(0, typed.length), limit))
    ? MISTYPED
    : 0
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')

const bestOf = (typed: string, words: readonly string[]): number =>
  Math.max(0, ...words.map(word => wordScore(typed, word)))

/** How well a title fits what was typed: 0 when one of the typed words is not in it. Typing errors are forgiven. */
export const matchScore = (typed: string, title: string, keywords = ''): number => {
  const [titled, known] = [wordsOf(title), wordsOf(keywords)]
  const scores = wordsOf(typed).map(word => Math.max(bestOf(word, titled), bestOf(word, known) * KEYWORD_SHARE))
  if (scores.some(score => score === 0)) return 0
  return scores.reduce((sum, score) => sum + score, 1) / (1 + titled.length / 100)
}
