import { reachableFrom } from '../graph.ts'
import { importsOf } from '../imports.ts'
import { isProductFile, isTestFile } from '../locate.ts'
import { modulesOf } from '../parse.ts'
import type { Rule } from '../rule.ts'

const entryPoints = [
  'src/main.ts',
  'src/cli/main.ts',
  'src/cli/quick-start.cjs',
  'src/web/main.tsx',
  'src/cli/test/runner.ts',
  'src/cli/test/deadline.ts',
]

// Tables and hooks are merged into an interface and migrations are found by their folder, so none needs an import.
// Manifests and screens of features are found in the same way; a door is there for features to come, too.
const needsNoImport = (path: string) =>
  /\/(tables|hooks)\.ts$/.test(path) ||
  /^src\/features\/[^/]+\/(feature|index|web\/screens)\.ts$/.test(path) ||
  path.endsWith('.d.ts') ||
  /^src\/(features\/[^/]+\/)?migrations\//.test(path)

const canBeDead = (path: string) => /\.([cm]?[jt]sx?|css)$/.test(path)

/** Every file of the product is used by an entry point or a test. */
export const reachability: Rule = files => {
  const graph = new Map<string, string[]>([...files.keys()].map(path => [path, []]))
  for (const module of modulesOf(files)) {
    graph.set(
      module.path,
      importsOf(module, files).flatMap(({ target }) => target ?? []),
    )
  }
  const roots = [...files.keys()].filter(path => entryPoints.includes(path) || isTestFile(path) || needsNoImport(path))
  const reached = reachableFrom(roots, graph)
  const candidates = [...files.keys()].filter(path => isProductFile(path) && canBeDead(path))
  return {
    checked: candidates.length,
    violations: candidates
      .filter(path => !reached.has(path))
      .map(path => `${path}:1 is reached by no entry point and no test; import it where it is needed or delete it`),
  }
}
