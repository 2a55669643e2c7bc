import type { Node } from 'oxc-parser'
import { isProductFile } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule } from '../rule.ts'
import { calledName, functionsOf, keyName, literalText, nameOf } from '../syntax.ts'

const forbiddenFolders = ['utils', 'util', 'helpers', 'common', 'shared', 'misc', 'services', 'managers']

const forbiddenWords = new Set(
  ['manager', 'service', 'helper', 'util', 'processor', 'base', 'common', 'misc'].flatMap(word => [word, `${word}s`]),
)

// Digits belong to the word before them, so that base64 is its own word.
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
    ...(folder ? [`${path}:1 lies in a folder called ${folder}; put it next to what uses it`] : []),
    ...(word ? [`${path}:1 has '${word}' in its name, which says nothing; name the file after what it holds`] : []),
  ]
}

const typeOfJob = (options: Node | undefined): string[] => {
  const properties = options?.type === 'ObjectExpression' ? options.properties : []
  return properties.flatMap(node =>
    node.type === 'Property' && keyName(node) === 'type' ? (literalText(node.value) ?? []) : [],
  )
}

/** Who meets a type of job in a log finds its file by the name. */
const misnamedJobs = (module: ParsedModule): string[] =>
  module
    .nodesOf('CallExpression')
    .filter(({ callee }) => isProductFile(module.path) && /^define\w*Job$/.test(calledName(callee) ?? ''))
    .flatMap(node => typeOfJob(node.arguments[0]).map(type => ({ node, type })))
    .flatMap(({ node, type }) => {
      const file = `${type.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}.ts`
      return module.path.endsWith(`/${file}`)
        ? []
        : [`${module.at(node)} defines the job ${type}; call its file ${file}`]
    })

/** Names say what a thing does; the words that fit everything are not used. */
export const names: Rule = files => ({
  checked: files.size,
  violations: [
    ...[...files.keys()].flatMap(emptyPaths),
    ...modulesOf(files).flatMap(module => [...emptyIdentifiers(module), ...misnamedJobs(module)]),
  ],
})
