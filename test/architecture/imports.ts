import { posix } from 'node:path'
import type { Node } from 'oxc-parser'
import packageJson from '../../package.json' with { type: 'json' }
import { modulesOf, type ParsedModule } from './parse.ts'
import type { SourceFiles } from './rule.ts'
import { calledName, literalText } from './syntax.ts'

export interface ModuleImport {
  specifier: string
  /** The repository path that is meant; undefined for packages and built-in modules. */
  target: string | undefined
  /** `file` is a path given to `new URL(…, import.meta.url)`: a file that is used, but not a module that is imported. */
  kind: 'static' | 'dynamic' | 'type' | 'file'
  at: string
}

const aliases = Object.entries(packageJson.imports).map(([alias, target]) => ({
  prefix: alias.replace('*', ''),
  folder: posix.normalize(target.replace('*', '')),
}))

const endingsLeftOut = ['.ts', '.tsx', '/index.ts', '/index.tsx']

const resolveImport = (specifier: string, from: string, files: SourceFiles): string | undefined => {
  // Vite's ?url, ?raw and ?worker are said about the same file.
  const bare = specifier.split('?')[0] ?? ''
  const alias = aliases.find(({ prefix }) => bare.startsWith(prefix))
  if (!alias && !bare.startsWith('.')) return undefined
  const target = alias
    ? posix.join(alias.folder, bare.slice(alias.prefix.length))
    : posix.join(posix.dirname(from), bare)
  if (files.has(target)) return target
  const ending = endingsLeftOut.find(ending => files.has(target + ending))
  return ending ? target + ending : target
}

interface Request {
  node: Node
  source: Node
  kind: ModuleImport['kind']
}

const declaredRequests = (module: ParsedModule): Request[] => {
  const requests: Request[] = []
  for (const node of module.nodesOf('ImportDeclaration')) {
    const names = node.specifiers
    const onlyTypes =
      names.length > 0 && names.every(name => name.type === 'ImportSpecifier' && name.importKind === 'type')
    requests.push({ node, source: node.source, kind: node.importKind === 'type' || onlyTypes ? 'type' : 'static' })
  }
  for (const node of [...module.nodesOf('ExportNamedDeclaration'), ...module.nodesOf('ExportAllDeclaration')]) {
    if (node.source) requests.push({ node, source: node.source, kind: node.exportKind === 'type' ? 'type' : 'static' })
  }
  for (const node of module.nodesOf('TSImportType')) requests.push({ node, source: node.source, kind: 'type' })
  return requests
}

const calledRequests = (module: ParsedModule): Request[] => {
  const requests: Request[] = []
  for (const node of module.nodesOf('ImportExpression')) requests.push({ node, source: node.source, kind: 'dynamic' })
  for (const node of module.nodesOf('CallExpression')) {
    const [source] = node.arguments
    const loads = ['require', 'getBuiltinModule'].includes(calledName(node.callee) ?? '')
    if (source && loads) requests.push({ node, source, kind: 'static' })
  }
  for (const node of module.nodesOf('NewExpression')) {
    const [source, origin] = node.arguments
    const besideThisFile = origin && module.source.slice(origin.start, origin.end) === 'import.meta.url'
    if (source && besideThisFile && calledName(node.callee) === 'URL') requests.push({ node, source, kind: 'file' })
  }
  return requests
}

export const importsOf = (module: ParsedModule, files: SourceFiles): ModuleImport[] =>
  [...declaredRequests(module), ...calledRequests(module)].flatMap(({ node, source, kind }) => {
    const specifier = literalText(source)
    if (specifier === undefined) return []
    return [{ specifier, target: resolveImport(specifier, module.path, files), kind, at: module.at(node) }]
  })

/** Every import of every module, without paths that are only opened as files. */
export const allImports = (files: SourceFiles) =>
  modulesOf(files).flatMap(module =>
    importsOf(module, files)
      .filter(({ kind }) => kind !== 'file')
      .map(found => ({ ...found, from: module.path })),
  )
