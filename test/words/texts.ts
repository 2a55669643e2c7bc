import type { Node } from 'oxc-parser'
import { modulesOf, type ParsedModule } from '../architecture/parse.ts'
import type { SourceFiles } from '../architecture/rule.ts'

/** Something a person reads, and the place it is written at. */
export interface FoundText {
  text: string
  at: string
}

/** What the expressions between the parts of a template stand for when words are counted. */
const PLACEHOLDER = '…'

const templateText = (node: { quasis: { value: { raw: string } }[] }): string =>
  node.quasis.map(({ value }) => value.raw).join(PLACEHOLDER)

const isImported = (module: ParsedModule, node: Node): boolean =>
  ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'].includes(
    module.parentOf(node)?.type ?? '',
  )

/** A text without a space is a name, a class or a key, unless it stands between tags. */
const isSentence = (text: string): boolean => /\S\s+\S/.test(text)

/** Texts in quotes and between tags. */
const stringsOf = (module: ParsedModule): FoundText[] => {
  const quoted = module.nodesOf('Literal').flatMap(node => {
    const isText = typeof node.value === 'string' && !isImported(module, node) && isSentence(node.value)
    return isText ? [{ text: node.value, at: module.at(node) }] : []
  })
  const templates = module
    .nodesOf('TemplateLiteral')
    .map(node => ({ text: templateText(node), at: module.at(node) }))
    .filter(({ text }) => isSentence(text))
  const tagged = module.nodesOf('JSXText').map(node => ({ text: node.value, at: module.at(node) }))
  return [...quoted, ...templates, ...tagged]
}

const commentsOf = (module: ParsedModule): FoundText[] =>
  module.comments.map(({ value, start }) => ({ text: value, at: module.at({ start }) }))

const linesOf = (path: string, source: string): FoundText[] =>
  source.split('\n').map((text, index) => ({ text, at: `${path}:${index + 1}` }))

/** What people read in the repository: texts and comments in code, and the lines of every page of documentation. */
export const textsOf = (files: SourceFiles): FoundText[] => [
  ...modulesOf(files).flatMap(module => [...stringsOf(module), ...commentsOf(module)]),
  ...[...files].filter(([path]) => path.endsWith('.md')).flatMap(([path, source]) => linesOf(path, source)),
]

const IS_SCREEN = /^src\/(?:web\/|features\/[^/]+\/(?:web\/|settings\.ts$|overview\.ts$))/

/** What is shown in the browser, as far as it is written there. */
export const screenTextsOf = (files: SourceFiles): FoundText[] =>
  modulesOf(files)
    .filter(({ path }) => IS_SCREEN.test(path) && !path.endsWith('.test.ts'))
    .flatMap(stringsOf)

/** The sentences of a text, with how many words each has. */
export const sentencesOf = (text: string): { sentence: string; words: number }[] =>
  text
    .split(/[.!?](?:\s|$)|\n\n/)
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(sentence => ({ sentence, words: sentence.split(/\s+/).length }))
