import { importsOf } from '../imports.ts'
import { isBrowserFile, isProductFile, isUnder } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule, SourceFiles } from '../rule.ts'
import { globalMemberUses, isGlobal, literalText, namesImportedFrom } from '../syntax.ts'

interface Confinement {
  modules: string[]
  folders: string[]
  advice: string
}

const confinedModules: Confinement[] = [
  {
    modules: ['child_process', 'node:child_process'],
    folders: ['src/platform/host', 'src/cli'],
    advice: 'build a Command and run it on a Host',
  },
  { modules: ['ssh2'], folders: ['src/platform/host'], advice: 'build a Command and run it on a Host' },
  {
    modules: ['mysql2', 'mysql2/promise'],
    folders: ['src/drivers/mariadb'],
    advice: 'ask through the driver of MariaDB',
  },
  { modules: ['vm', 'node:vm'], folders: [], advice: 'code that comes as text is never run' },
  {
    modules: ['better-sqlite3', 'pg', 'pg-cursor'],
    folders: ['src/platform/db'],
    advice: 'ask through Kysely in a store',
  },
]

const escapedModules = (module: ParsedModule, files: SourceFiles): string[] =>
  importsOf(module, files).flatMap(({ specifier, at }) =>
    confinedModules
      .filter(({ modules, folders }) => modules.includes(specifier) && !isUnder(module.path, folders))
      .map(({ folders, advice }) => {
        const allowed = folders.length > 0 ? `only ${folders.join(' and ')} may` : 'no file may'
        return `${at} imports ${specifier}, which ${allowed}; ${advice}`
      }),
  )

const environmentReads = (module: ParsedModule): string[] => {
  if (isUnder(module.path, ['src/platform/config', 'src/cli', 'src/main.ts'])) return []
  const imported = namesImportedFrom(module, ['process', 'node:process']).filter(({ imported }) => imported === 'env')
  return [...globalMemberUses(module, 'process', 'env'), ...imported.map(({ node }) => node)].map(
    node => `${module.at(node)} reads process.env; take the value from the config of src/platform/config`,
  )
}

const consoleUses = (module: ParsedModule): string[] =>
  isUnder(module.path, ['src/cli'])
    ? []
    : globalMemberUses(module, 'console').map(node => `${module.at(node)} uses console; write to the scope's log`)

const guessableNumbers = (module: ParsedModule): string[] =>
  isBrowserFile(module.path)
    ? []
    : globalMemberUses(module, 'Math', 'random').map(
        node =>
          `${module.at(node)} uses Math.random, which can be guessed; use randomBytes or randomInt of node:crypto`,
      )

const computedPatterns = (module: ParsedModule): string[] =>
  [...module.nodesOf('NewExpression'), ...module.nodesOf('CallExpression')]
    .filter(({ callee, arguments: [pattern] }) => isGlobal(callee, 'RegExp') && literalText(pattern) === undefined)
    .filter(({ arguments: [pattern] }) => !(pattern?.type === 'Literal' && 'regex' in pattern))
    .map(node => `${module.at(node)} compiles a computed pattern, which can hang the panel; compare strings instead`)

/** What only a few folders may touch: processes, the environment, the console, chance and computed patterns. */
export const confined: Rule = files => {
  const product = modulesOf(files).filter(({ path }) => isProductFile(path))
  return {
    checked: product.length,
    violations: product.flatMap(module => [
      ...escapedModules(module, files),
      ...environmentReads(module),
      ...consoleUses(module),
      ...guessableNumbers(module),
      ...computedPatterns(module),
    ]),
  }
}
