import type { Node } from 'oxc-parser'
import type { ParsedModule } from './parse.ts'

/** The text of a string literal, or of a template without placeholders. */
export const literalText = (node: Node | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? ''
  return undefined
}

/** `a.name` and `a['name']` give `name`. */
export const memberName = (node: Node | undefined): string | undefined => {
  if (node?.type !== 'MemberExpression') return undefined
  if (node.computed) return literalText(node.property)
  return node.property.type === 'Identifier' ? node.property.name : undefined
}

/** `call()` gives `call`, and so does `a.call()`. */
export const calledName = (callee: Node): string | undefined =>
  callee.type === 'Identifier' ? callee.name : memberName(callee)

export const keyName = (node: { key: Node; computed: boolean }): string | undefined => {
  if (!node.computed && node.key.type === 'Identifier') return node.key.name
  return literalText(node.key)
}

/** A global by its own name, or reached through `globalThis` or `window`. */
export const isGlobal = (node: Node, name: string): boolean => {
  if (node.type === 'Identifier') return node.name === name
  return (
    node.type === 'MemberExpression' &&
    memberName(node) === name &&
    (isGlobal(node.object, 'globalThis') || isGlobal(node.object, 'window'))
  )
}

/** Where `object.property` is read from a global, also by taking it out with `const { property } = object`. */
export const globalMemberUses = (module: ParsedModule, object: string, property?: string): Node[] => {
  const wanted = (name: string | undefined) => property === undefined || name === property
  const members = module
    .nodesOf('MemberExpression')
    .filter(node => isGlobal(node.object, object) && wanted(memberName(node)))
  const takenOut = module
    .nodesOf('VariableDeclarator')
    .filter(({ id, init }) => id.type === 'ObjectPattern' && init !== null && isGlobal(init, object))
    .filter(
      ({ id }) => id.type === 'ObjectPattern' && id.properties.some(p => p.type !== 'Property' || wanted(keyName(p))),
    )
  return [...members, ...takenOut]
}

/** The names a module takes from a package: `import { sql as text } from 'kysely'` gives sql, text. */
export const namesImportedFrom = (module: ParsedModule, packages: string[]) =>
  module
    .nodesOf('ImportDeclaration')
    .filter(node => packages.includes(node.source.value) && node.importKind !== 'type')
    .flatMap(node => node.specifiers)
    .filter(specifier => specifier.type === 'ImportSpecifier' && specifier.importKind !== 'type')
    .map(node => ({
      node,
      imported:
        node.type === 'ImportSpecifier' && node.imported.type === 'Identifier' ? node.imported.name : node.local.name,
      local: node.local.name,
    }))

const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'] as const

export const functionsOf = (module: ParsedModule) => functionTypes.flatMap(type => module.nodesOf(type))

/** The name a function or class goes by: its own, its variable's, its key's, or the one a wrapper around it is given. */
export const nameOf = (module: ParsedModule, node: Node): string | undefined => {
  if ('id' in node && node.id?.type === 'Identifier') return node.id.name
  const parent = module.parentOf(node)
  if (parent?.type === 'MethodDefinition' || parent?.type === 'PropertyDefinition' || parent?.type === 'Property') {
    return keyName(parent)
  }
  if (parent?.type === 'CallExpression' && module.parentOf(parent)?.type === 'VariableDeclarator') {
    return nameOf(module, parent)
  }
  return parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id.name : undefined
}
