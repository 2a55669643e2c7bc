/**
 * Patterns that people may write: what RE2 accepts, without what some programs add to it, so that they mean the same
 * everywhere; and without a repetition of a repetition, which takes exponential time where a program goes back and forth.
 */

const LONGEST = 300
/** As in RE2, for a repetition and for those around it together. */
const MOST_TIMES = 1000

const CLASS_LETTERS = 'dDwWsS'
const OTHER_LETTERS = 'bBtnrf'
const QUANTIFIER = /^(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})/

class WrongPattern extends Error {}

/** What is wrong with a pattern, in words that follow the name of its field; undefined when nothing is. */
export const faultOfPattern = (text: string): string | undefined => {
  if (text === '' || text.length > LONGEST) return `must have 1 to ${LONGEST} characters`
  if (/[^\x20-\x7e]/.test(text)) return 'can only contain printable ASCII characters'
  try {
    const reader = new Reader(text)
    readChoices(reader)
    if (!reader.isAtEnd) throw new WrongPattern('has a ) without a (')
    return undefined
  } catch (error) {
    if (error instanceof WrongPattern) return error.message
    throw error
  }
}

class Reader {
  at = 0
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  get rest(): string {
    return this.text.slice(this.at)
  }

  peek(): string {
    return this.text.charAt(this.at)
  }

  take(): string {
    this.at += 1
    return this.text.charAt(this.at - 1)
  }
}

/** How a part of a pattern repeats. */
interface Repeats {
  readonly isEndless: boolean
  readonly times: number
}

const ONCE: Repeats = { isEndless: false, times: 1 }

const both = (a: Repeats, b: Repeats): Repeats => ({
  isEndless: a.isEndless || b.isEndless,
  times: Math.max(a.times, b.times),
})

const readChoices = (reader: Reader): Repeats => {
  let found = ONCE
  while (!reader.isAtEnd && reader.peek() !== ')') {
    if (reader.peek() === '|') reader.take()
    else found = both(found, readRepeated(reader))
  }
  return found
}

const readRepeated = (reader: Reader): Repeats => {
  const isAnchor = '^$'.includes(reader.peek())
  const inner = readAtom(reader)
  const [quantifier, least, range, most] = QUANTIFIER.exec(reader.rest) ?? []
  if (quantifier === undefined) return inner
  if (isAnchor) throw new WrongPattern(`can't repeat ^ or $`)
  reader.at += quantifier.length
  if (reader.peek() === '?') reader.take()
  if (QUANTIFIER.test(reader.rest)) throw new WrongPattern(`has nothing to repeat before ${reader.peek()}`)
  if (quantifier === '?') return inner
  if (most && Number(most) < Number(least)) throw new WrongPattern(`has a wrong number in ${quantifier}`)
  const isEndless = quantifier === '*' || quantifier === '+' || (range !== undefined && most === '')
  const times = Math.max(Number(most || least || 1), 1) * inner.times
  if (times > MOST_TIMES) throw new WrongPattern(`can't repeat more than ${MOST_TIMES} times`)
  if (inner.isEndless) throw new WrongPattern("can't repeat what is repeated already, as in (a+)+")
  return { isEndless: isEndless || (inner.times > 1 && times > inner.times), times }
}

const readAtom = (reader: Reader): Repeats => {
  const character = reader.take()
  if (character === '(') return readGroup(reader)
  if (character === '[') return readClass(reader)
  if (character === '\\') readEscape(reader)
  else if ('*+?{'.includes(character))
    throw new WrongPattern(`has nothing to repeat before ${character}; write \\${character} for the character itself`)
  return ONCE
}

const readGroup = (reader: Reader): Repeats => {
  if (reader.rest.startsWith('?:')) reader.at += 2
  else if (reader.peek() === '?')
    throw new WrongPattern("can't look ahead or behind, name groups or set options: only (…) and (?:…) are possible")
  const inner = readChoices(reader)
  if (reader.take() !== ')') throw new WrongPattern('has a ( without a )')
  return inner
}

const readClass = (reader: Reader): Repeats => {
  if (reader.peek() === '^') reader.take()
  if (reader.peek() === ']') throw new WrongPattern('has an empty [ ]')
  while (!reader.isAtEnd && reader.peek() !== ']') {
    const first = readMember(reader)
    if (!/^-[^\]]/.test(reader.rest)) continue
    reader.take()
    const last = readMember(reader)
    if (first === undefined || last === undefined || first > last)
      throw new WrongPattern('has a wrong range in [ ]; write it as a-z, and - itself last')
  }
  if (reader.take() !== ']') throw new WrongPattern('has a [ without a ]')
  return ONCE
}

/** Undefined for what no range can begin or end with. */
const readMember = (reader: Reader): string | undefined => {
  const character = reader.take()
  if (character === '[') throw new WrongPattern('must write \\[ for a bracket within [ ]')
  if (character !== '\\') return character
  readEscape(reader)
  return undefined
}

const readEscape = (reader: Reader): void => {
  const character = reader.take()
  if (character === '') throw new WrongPattern('ends with \\')
  if (!/[A-Za-z0-9]/.test(character) || (CLASS_LETTERS + OTHER_LETTERS).includes(character)) return
  const isByte = character === 'x' && /^[0-9A-Fa-f]{2}/.test(reader.rest)
  if (!isByte) throw new WrongPattern(`can't use \\${character}`)
  reader.at += 2
}
