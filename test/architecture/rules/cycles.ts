import { findCycles } from '../graph.ts'
import { importsOf } from '../imports.ts'
import { isProductFile } from '../locate.ts'
import { modulesOf } from '../parse.ts'
import type { Rule } from '../rule.ts'

/** No module is needed to load itself; type-only imports vanish before loading and do not count. */
export const cycles: Rule = files => {
  const modules = modulesOf(files).filter(({ path }) => isProductFile(path))
  const graph = new Map(
    modules.map(module => [
      module.path,
      importsOf(module, files)
        .filter(({ kind }) => kind === 'static' || kind === 'dynamic')
        .flatMap(({ target }) => (target && isProductFile(target) ? [target] : [])),
    ]),
  )
  return {
    checked: modules.length,
    violations: findCycles(graph).map(
      cycle => `${cycle[0]}:1 imports itself through ${cycle.join(' -> ')}; move what both need into a third module`,
    ),
  }
}
