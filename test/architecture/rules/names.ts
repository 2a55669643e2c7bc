import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule } from '../rule.ts'
import { functionsOf, nameOf } from '../syntax.ts'

const forbiddenFolders = ['utils', 'util', 'helpers', 'common', 'shared', 'misc', 'services', 'managers']

const forbiddenWords = new Set(
  ['manager', 'service', 'helper', 'util', 'processor', 'base', 'common', 'misc'].flatMap(word => [word, `${word}s`]),
)

// Digits belong to the word before them, so that base64 is a word of its own.
const wordsOf = (name: string) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+[0-9]*/g) ?? []

const emptyWordIn = (name: string) => wordsOf(name).find(word => forbiddenWords.has(word.toLowerCase()))

const namedDeclarations = (module: ParsedModule) =>
  [
    ...functionsOf(module),
    ...module.nodesOf('ClassDeclaration'),
    ...module.nodesOf('ClassExpression'),
    ...module.nodesOf('TSInterfaceDeclaration'),
    ...module.nodesOf('TSTypeAliasDeclaration'),
    ...module.nodesOf('TSEnumDeclaration'),
  ].map(node => ({ node, name: nameOf(module, node) ?? '' }))

const emptyIdentifiers = (module: ParsedModule): string[] =>
  namedDeclarations(module).flatMap(({ node, name }) => {
    const word = emptyWordIn(name)
    return word ? [`${module.at(node)} calls something ${name}; '${word}' says nothing, name what it does`] : []
  })

const emptyPaths = (path: string): string[] => {
  const folders = path.split('/')
  const file = (folders.pop() ?? '').replace(/\.[^.]*$/, '')
  const folder = folders.find(name => forbiddenFolders.includes(name.toLowerCase()))
  const word = emptyWordIn(file)
  return [
    ...(folder ? [`${path}:1 lies in a folder called ${folder}; put it beside what uses it`] : []),
    ...(word ? [`${path}:1 has '${word}' in its name, which says nothing; name the file after what it holds`] : []),
  ]
}

/** Names say what a thing does; the words that fit everything are not used. */
export const names: Rule = files => ({
  checked: files.size,
  violations: [...[...files.keys()].flatMap(emptyPaths), ...modulesOf(files).flatMap(emptyIdentifiers)],
})
