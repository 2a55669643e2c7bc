import { cleanJson, DECEIVING } from '#platform/log/clean-line.ts'

const ESCAPE = 0x1b
const BELL = 0x07
const STRING_END = 0x9c
/** Introducers of OSC, DCS, SOS, PM and APC, behind an escape and as one character: they carry their own text. */
const STRINGS = new Set(['\u001b]', '\u001bP', '\u001bX', '\u001b^', '\u001b_'])
const C1_STRINGS = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f])
const C1_CONTROL_SEQUENCE = 0x9b

const CONTROLS_BUT_LINES = /(?![\t\n])\p{Cc}/gu

const skipWhile = (text: string, from: number, isPart: (code: number) => boolean): number => {
  let at = from
  while (at < text.length && isPart(text.charCodeAt(at))) at += 1
  return at
}

/** Its own text goes up to its end, or to the end of the line where it has none. */
const endOfString = (text: string, from: number): number => {
  const end = skipWhile(text, from, code => ![BELL, ESCAPE, STRING_END, 0x0a, 0x0d].includes(code))
  if (text.startsWith('\u001b\\', end)) return end + 2
  return [BELL, STRING_END].includes(text.charCodeAt(end)) ? end + 1 : end
}

const endOfControl = (text: string, from: number): number => {
  const parameters = skipWhile(text, from, code => code >= 0x20 && code <= 0x3f)
  const final = text.charCodeAt(parameters)
  return final >= 0x40 && final <= 0x7e ? parameters + 1 : parameters
}

/** Where the escape sequence that starts here ends; the place itself when none starts here. */
const endOfSequence = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  if (C1_STRINGS.has(code)) return endOfString(text, at + 1)
  if (code === C1_CONTROL_SEQUENCE) return endOfControl(text, at + 1)
  if (code !== ESCAPE) return at
  if (STRINGS.has(text.slice(at, at + 2))) return endOfString(text, at + 2)
  if (text[at + 1] === '[') return endOfControl(text, at + 2)
  const intermediate = skipWhile(text, at + 1, one => one >= 0x20 && one <= 0x2f)
  const final = text.charCodeAt(intermediate)
  return final >= 0x30 && final <= 0x7e ? intermediate + 1 : intermediate
}

const withoutSequences = (text: string): string => {
  let kept = ''
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const end = endOfSequence(text, at)
    if (end === at) continue
    kept += text.slice(from, at)
    from = end
    at = end - 1
  }
  return kept + text.slice(from)
}

/** Text from a server or a file as a terminal may show it: no escape sequences, controls or direction overrides. */
export const plainText = (text: string): string =>
  withoutSequences(text).replace(CONTROLS_BUT_LINES, '').replace(DECEIVING, '')

/** The same for what must stay on one line. */
export const plainLine = (text: string): string => plainText(text).replace(/[\n\t]+/g, ' ')

/** JSON that reads back as the same value and yet holds nothing a terminal acts on. */
export const plainJson = (value: unknown): string => cleanJson(JSON.stringify(value, undefined, 2))
