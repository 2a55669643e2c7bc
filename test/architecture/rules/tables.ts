import type { Node } from 'oxc-parser'
import { isProductFile, isUnder } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule } from '../rule.ts'
import { isGlobal, keyName, literalText, memberName, namesImportedFrom } from '../syntax.ts'

const writingCalls = ['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto']

const schemaFolders = ['src/platform/db', 'src/migrations']

const isStore = (path: string) =>
  /\/(store|[^/]+-store|stores\/[^/]+)\.ts$/.test(path) ||
  /^src\/features\/[^/]+\/migrations\//.test(path) ||
  isUnder(path, schemaFolders)

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

type Owners = Map<string, string>

const declaredTables = (module: ParsedModule) =>
  module
    .nodesOf('TSInterfaceDeclaration')
    .filter(({ id }) => id.name === 'Tables')
    .flatMap(({ body }) => body.body)
    .flatMap(node => (node.type === 'TSPropertySignature' ? [{ node, table: keyName(node) ?? '' }] : []))

const findOwners = (modules: ParsedModule[]) => {
  const owners: Owners = new Map()
  const violations: string[] = []
  for (const module of modules.filter(({ path }) => path.endsWith('/tables.ts'))) {
    const folder = folderOf(module.path)
    for (const { node, table } of declaredTables(module)) {
      const owner = owners.get(table)
      if (!/^src\/(features|platform)\/[^/]+$/.test(folder)) {
        violations.push(`${module.at(node)} declares ${table}; only a feature's or platform part's tables.ts may`)
      } else if (owner) {
        violations.push(`${module.at(node)} declares ${table}, which ${owner} owns already; keep one of the two`)
      } else {
        owners.set(table, folder)
      }
    }
  }
  return { owners, violations }
}

const namedTables = (argument: Node | undefined): (string | undefined)[] =>
  argument?.type === 'ArrayExpression'
    ? argument.elements.map(element => literalText(element ?? undefined))
    : [literalText(argument)]

const calledWrites = (module: ParsedModule) =>
  module
    .nodesOf('CallExpression')
    .filter(({ callee }) => writingCalls.includes(memberName(callee) ?? ''))
    .flatMap(node => namedTables(node.arguments[0]).map(name => ({ node, table: name?.split(' ')[0] })))

const sqlTemplates = (module: ParsedModule) => {
  const names = namesImportedFrom(module, ['kysely']).filter(({ imported }) => imported === 'sql')
  const tags = new Set(['sql', ...names.map(({ local }) => local)])
  const isTag = (tag: Node) => (tag.type === 'Identifier' ? tags.has(tag.name) : memberName(tag) === 'sql')
  return module.nodesOf('TaggedTemplateExpression').filter(({ tag }) => isTag(tag))
}

const writtenWrites = (module: ParsedModule) =>
  sqlTemplates(module).flatMap(node => {
    const text = node.quasi.quasis.map(({ value }) => value.raw).join('?')
    const writes = text.matchAll(
      /\b(?:insert\s+into|replace\s+into|delete\s+from)\s+["`]?(\w+)|(?:^|\))\s*update\s+["`]?(\w+)/gi,
    )
    return [...writes].map(match => ({ node, table: match[1] ?? match[2] }))
  })

const foreignWrites = (module: ParsedModule, owners: Owners): string[] =>
  [...calledWrites(module), ...writtenWrites(module)].flatMap(({ node, table }) => {
    const owner = table && owners.get(table)
    if (!table && isUnder(module.path, schemaFolders)) return []
    if (!table) return [`${module.at(node)} writes a computed table; name it in a literal so that its owner is known`]
    if (!owner) return [`${module.at(node)} writes ${table}, which no tables.ts declares; declare it with its owner`]
    if (isUnder(module.path, [owner])) return []
    return [`${module.at(node)} writes ${table}, which ${owner} owns; call a function of its owner instead`]
  })

const misplacedSql = (module: ParsedModule): string[] => {
  const calls = module
    .nodesOf('CallExpression')
    .filter(({ callee }) => ['selectFrom', ...writingCalls].includes(memberName(callee) ?? ''))
  const imported = namesImportedFrom(module, ['kysely']).filter(({ imported }) => imported === 'sql')
  return [...calls, ...sqlTemplates(module), ...imported.map(({ node }) => node)].map(
    node => `${module.at(node)} holds SQL outside a store; move the statement into store.ts, *-store.ts or stores/`,
  )
}

const rawSql = (module: ParsedModule): string[] => {
  const aliases = namesImportedFrom(module, ['kysely'])
  const isRaw = (object: Node) =>
    ['sql', 'CompiledQuery'].some(name => isGlobal(object, name) || memberName(object) === name) ||
    aliases.some(({ imported, local }) => imported === 'sql' && isGlobal(object, local))
  return module
    .nodesOf('MemberExpression')
    .filter(node => memberName(node) === 'raw' && isRaw(node.object))
    .map(node => `${module.at(node)} makes SQL of text; use a parameter, or sql.ref and sql.table for names`)
}

/** A table is written only by its owner, SQL lives in stores, and text never becomes SQL. */
export const tables: Rule = files => {
  const product = modulesOf(files).filter(({ path }) => isProductFile(path))
  const { owners, violations } = findOwners(product)
  // A migration may fill any table: it is older than the owner's code.
  const outsideMigrations = product.filter(({ path }) => !isUnder(path, ['src/migrations']))
  const outsideSchema = product.filter(({ path }) => !isUnder(path, schemaFolders))
  return {
    checked: product.length,
    violations: [
      ...violations,
      ...outsideMigrations.flatMap(module => foreignWrites(module, owners)),
      ...outsideSchema.filter(({ path }) => !isStore(path)).flatMap(misplacedSql),
      ...outsideSchema.flatMap(rawSql),
    ],
  }
}
