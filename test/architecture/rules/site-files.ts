import type { Node } from 'oxc-parser'
import { isProductFile, isUnder } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule } from '../rule.ts'
import { literalText } from '../syntax.ts'

/** The module that opens them, and what names the folder of a site without opening anything a site can swap. */
const ALLOWED = [
  'src/features/sites/folder',
  // Where it lies.
  'src/features/sites/paths.ts',
  // Mounts it into the site's own container.
  'src/features/sites/container.ts',
  // Before the site has run for the first time, and after its container is gone.
  'src/features/sites/site-files.ts',
  // Makes the folder that holds those of all sites.
  'src/features/stack/folders.ts',
  // The folder around it, which is root's: made, labeled and removed.
  'src/features/sites/site-folder.ts',
  // Counts with du, which opens no file and follows no link.
  'src/features/monitor/read-site-disk.ts',
  'src/features/sites/disk/disk-files.ts',
  'src/features/stack/disk-watch',
  // Changes owners in a container that sees nothing else.
  'src/features/sites/identity/ensure-owner.ts',
]
const PATHS = ['htmlFolder', 'siteFolder']
const SPELLED = /\/srv\/fleetpress\/sites\b|\/var\/www\/html\b/
const BELOW_ROOT = /^\/sites(?:\/|$)/
const ADVICE = 'use src/features/sites/folder, which cannot be led out of a site'

const importedPaths = (module: ParsedModule): string[] =>
  [...module.nodesOf('ImportSpecifier'), ...module.nodesOf('ExportSpecifier')]
    .map(node => ({ node, name: nameOf(node.type === 'ImportSpecifier' ? node.imported : node.local) }))
    .filter(({ name }) => PATHS.includes(name))
    .map(({ node, name }) => `${module.at(node)} takes ${name}; ${ADVICE}`)

const nameOf = (node: Node): string => (node.type === 'Identifier' ? node.name : (literalText(node) ?? ''))

const spelledPaths = (module: ParsedModule): string[] => {
  const literals = module.nodesOf('Literal').filter(node => SPELLED.test(literalText(node) ?? ''))
  const templates = module.nodesOf('TemplateLiteral').filter(({ quasis, expressions }) =>
    quasis.some(({ value: { cooked } }, index) => {
      const before = expressions[index - 1]
      const isBelowRoot =
        before?.type === 'Identifier' && before.name.toLowerCase().includes('root') && BELOW_ROOT.test(cooked ?? '')
      return isBelowRoot || SPELLED.test(cooked ?? '')
    }),
  )
  return [...literals, ...templates].map(node => `${module.at(node)} spells the folder of a site; ${ADVICE}`)
}

/** A path below the folder of a site is opened in one module, because everything below it may be swapped at any moment. */
export const siteFiles: Rule = files => {
  const modules = modulesOf(files).filter(
    ({ path }) =>
      isProductFile(path) && /^src\/(?:features|drivers|platform|app)\//.test(path) && !/\/web\//.test(path),
  )
  const others = modules.filter(({ path }) => !isUnder(path, ALLOWED))
  return {
    checked: modules.length,
    violations: others.flatMap(module => [...importedPaths(module), ...spelledPaths(module)]),
  }
}
