/** A pattern that `faultOfPattern` found nothing wrong with, taken apart. */
export type Part =
  | { readonly type: 'one'; readonly fits: (code: number) => boolean }
  | { readonly type: 'place'; readonly fits: (text: string, at: number) => boolean }
  | { readonly type: 'row'; readonly parts: readonly Part[] }
  | { readonly type: 'choice'; readonly parts: readonly Part[] }
  | { readonly type: 'times'; readonly part: Part; readonly least: number; readonly most: number }

type Fits = (code: number) => boolean

const between = (first: string, last: string): Fits => {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
  return code => code >= from && code <= to
}
const anyOf =
  (...sets: readonly Fits[]): Fits =>
  code =>
    sets.some(fits => fits(code))
const not =
  (fits: Fits): Fits =>
  code =>
    !fits(code)

const DIGIT = between('0', '9')
const WORD = anyOf(DIGIT, between('a', 'z'), between('A', 'Z'), between('_', '_'))
const SPACE: Fits = code => code === 32 || (code >= 9 && code <= 13)
const SETS: Readonly<Record<string, Fits>> = {
  d: DIGIT,
  D: not(DIGIT),
  w: WORD,
  W: not(WORD),
  s: SPACE,
  S: not(SPACE),
}
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' }
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/

const isWordAt = (text: string, at: number): boolean => at >= 0 && at < text.length && WORD(text.charCodeAt(at))
const isBoundary = (text: string, at: number): boolean => isWordAt(text, at - 1) !== isWordAt(text, at)

/** Upper and lower case are the same. */
const ignoringCase = (fits: Fits): Fits => {
  const swapped = (code: number) => {
    if (code >= 65 && code <= 90) return code + 32
    return code >= 97 && code <= 122 ? code - 32 : code
  }
  return code => fits(code) || fits(swapped(code))
}

export const partsOf = (pattern: string): Part => new Taker(pattern).choice()

class Taker {
  #rest: string

  constructor(pattern: string) {
    this.#rest = pattern
  }

  choice(): Part {
    const parts = [this.#row()]
    while (this.#rest.startsWith('|')) {
      this.#take(1)
      parts.push(this.#row())
    }
    return { type: 'choice', parts }
  }

  #take(count: number): string {
    const taken = this.#rest.slice(0, count)
    this.#rest = this.#rest.slice(count)
    return taken
  }

  #row(): Part {
    const parts: Part[] = []
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) parts.push(this.#repeated())
    return { type: 'row', parts }
  }

  #repeated(): Part {
    const part = this.#single()
    const [all = '', sign, least, range, most] = QUANTIFIER.exec(this.#rest) ?? []
    if (all === '') return part
    this.#take(all.length)
    if (sign !== undefined)
      return { type: 'times', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity }
    const end = most === '' ? Infinity : Number(most)
    return { type: 'times', part, least: Number(least), most: range === undefined ? Number(least) : end }
  }

  #single(): Part {
    const character = this.#take(1)
    if (character === '(') return this.#group()
    if (character === '[') return { type: 'one', fits: this.#set() }
    if (character === '.') return { type: 'one', fits: () => true }
    if (character === '^') return { type: 'place', fits: (_, at) => at === 0 }
    if (character === '$') return { type: 'place', fits: (text, at) => at === text.length }
    if (character !== '\\') return { type: 'one', fits: ignoringCase(between(character, character)) }
    if (/^[bB]/.test(this.#rest)) {
      const isWanted = this.#take(1) === 'b'
      return { type: 'place', fits: (text, at) => isBoundary(text, at) === isWanted }
    }
    return { type: 'one', fits: ignoringCase(this.#escaped()) }
  }

  #group(): Part {
    if (this.#rest.startsWith('?:')) this.#take(2)
    const inner = this.choice()
    this.#take(1)
    return inner
  }

  #escaped(): Fits {
    const letter = this.#take(1)
    const set = SETS[letter]
    if (set) return set
    const character =
      letter === 'x' ? String.fromCharCode(Number.parseInt(this.#take(2), 16)) : (CONTROLS[letter] ?? letter)
    return between(character, character)
  }

  #set(): Fits {
    const isNot = this.#rest.startsWith('^')
    if (isNot) this.#take(1)
    const sets: Fits[] = []
    while (this.#rest !== '' && !this.#rest.startsWith(']')) sets.push(this.#member())
    this.#take(1)
    const fits = ignoringCase(anyOf(...sets))
    return isNot ? not(fits) : fits
  }

  #member(): Fits {
    const [, first, last] = /^([^\\])-([^\\\]])/.exec(this.#rest) ?? []
    if (first !== undefined && last !== undefined) {
      this.#take(3)
      return between(first, last)
    }
    const character = this.#take(1)
    return character === '\\' ? this.#escaped() : between(character, character)
  }
}
