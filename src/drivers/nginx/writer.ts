import { InvalidEdgeValue } from './errors.ts'

/**
 * A configuration of nginx as data. Text appears only in `renderNginx`, which quotes and escapes every argument, so
 * that no value can end its directive, open a block or name a variable.
 */
export interface Directive {
  readonly words: readonly Argument[]
  readonly children?: readonly Directive[]
}

export type Argument = string | number | Variable | Template | Pattern | typeof DOLLAR

export interface Variable {
  readonly variable: string
}

/** Text with variables in it, for directives that replace them; a dollar sign in the text stays one. */
export interface Template {
  readonly parts: readonly (string | Variable)[]
}

/** A regular expression, in which nginx looks for no variables; the bracket that closes an `if` comes behind it. */
export interface Pattern {
  readonly pattern: string
}

/** The dollar sign itself, for the one `geo` block whose values are not looked through for variables. */
const DOLLAR = Symbol('dollar')

/** nginx reads one argument into 4096 bytes and gives up on a longer one. */
const LONGEST_ARGUMENT_BYTES = 4000

const UNSENDABLE = /[\u0000-\u001f\u007f]/
const BARE = /^[\w.,:/*=^~@%+()[\]-]+$/
const VARIABLE_NAME = /^[a-z][a-z0-9_]*$/

export const directive = (...words: readonly Argument[]): Directive => ({ words })

export const block = (words: readonly Argument[], children: readonly Directive[]): Directive => ({ words, children })

export const variable = (name: string): Variable => {
  if (!VARIABLE_NAME.test(name)) throw new InvalidEdgeValue(name, 'is not a variable name')
  return { variable: name }
}

export const template = (texts: TemplateStringsArray, ...values: readonly (string | number | Variable)[]): Template => {
  const parts = texts.flatMap((text, index) => {
    const value = values[index]
    return value === undefined ? [text] : [text, typeof value === 'number' ? String(value) : value]
  })
  return { parts: parts.filter(part => part !== '') }
}

const dollar = variable('fleetpress_dollar')

/** Belongs into every configuration: nginx cannot escape a dollar sign, so a variable holds one. */
export const dollarVariable = block(['geo', dollar], [directive('default', DOLLAR)])

export const renderNginx = (directives: readonly Directive[]): string =>
  directives.map(each => renderDirective(each, '')).join('')

const renderDirective = ({ words, children }: Directive, indent: string): string => {
  const line = indent + words.map(renderArgument).join(' ')
  if (children === undefined) return `${line};\n`
  const inner = children.map(child => renderDirective(child, `${indent}  `)).join('')
  return `${line} {\n${inner}${indent}}\n`
}

const renderArgument = (argument: Argument): string => {
  const text = argumentText(argument)
  if (Buffer.byteLength(text) > LONGEST_ARGUMENT_BYTES) {
    throw new InvalidEdgeValue('a value', `is longer than ${LONGEST_ARGUMENT_BYTES} bytes`)
  }
  return text
}

const argumentText = (argument: Argument): string => {
  if (argument === DOLLAR) return '"$"'
  if (typeof argument === 'number') return numberText(argument)
  if (typeof argument === 'string') return literalText(argument)
  if ('pattern' in argument) return `"${escaped(argument.pattern)})"`
  return 'variable' in argument ? `$${argument.variable}` : templateText(argument)
}

const numberText = (value: number): string => {
  if (!Number.isSafeInteger(value)) throw new InvalidEdgeValue(String(value), 'is not a whole number')
  return String(value)
}

const literalText = (value: string): string => {
  if (value.includes('$')) throw new InvalidEdgeValue(JSON.stringify(value), "can't contain a dollar sign here")
  return BARE.test(value) ? value : `"${escaped(value)}"`
}

const templateText = ({ parts }: Template): string => {
  const pieces = parts.flatMap(part => (typeof part === 'string' ? withDollars(part) : part))
  const text = pieces.map((piece, index) =>
    typeof piece === 'string' ? escaped(piece) : reference(piece, pieces[index + 1]),
  )
  const isBare = pieces.length > 0 && pieces.every(piece => typeof piece !== 'string' || BARE.test(piece))
  return isBare ? text.join('') : `"${text.join('')}"`
}

const withDollars = (text: string): (string | Variable)[] =>
  text
    .split('$')
    .flatMap((piece, index) => (index === 0 ? [piece] : [dollar, piece]))
    .filter(piece => piece !== '')

/** The braces keep what follows from becoming part of the name. */
const reference = ({ variable }: Variable, next: string | Variable | undefined): string =>
  typeof next === 'string' && /^\w/.test(next) ? `\${${variable}}` : `$${variable}`

const escaped = (text: string): string => {
  if (UNSENDABLE.test(text)) throw new InvalidEdgeValue(JSON.stringify(text), 'contains a control character')
  if (!text.isWellFormed()) throw new InvalidEdgeValue(JSON.stringify(text), 'contains an incomplete character')
  return text.replace(/["\\]/g, '\\$&')
}
