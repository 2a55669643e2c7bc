import { findCycles } from '../graph.ts'
import { locate } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { SourceFiles } from '../rule.ts'
import { keyName, literalText } from '../syntax.ts'

export interface Manifest {
  path: string
  uses: string[]
  problems: string[]
}

const readManifest = (module: ParsedModule, features: Set<string>): Manifest => {
  const manifest: Manifest = { path: module.path, uses: [], problems: [] }
  for (const property of module.nodesOf('Property').filter(property => keyName(property) === 'uses')) {
    const value = property.value.type === 'TSAsExpression' ? property.value.expression : property.value
    const names =
      value.type === 'ArrayExpression' ? value.elements.map(name => literalText(name ?? undefined)) : [undefined]
    for (const name of names) {
      if (name === undefined) {
        manifest.problems.push(`${module.at(property)} computes its uses; write them as an array of string literals`)
      } else if (!features.has(name)) {
        manifest.problems.push(
          `${module.at(property)} uses '${name}', which is not a feature; remove it or fix the name`,
        )
      } else {
        manifest.uses.push(name)
      }
    }
  }
  return manifest
}

/** What each feature's `feature.ts` says it uses, by the name of the feature. */
export const manifestsOf = (files: SourceFiles): Map<string, Manifest> => {
  const inFeatures = modulesOf(files).filter(({ path }) => path.startsWith('src/features/'))
  const features = new Set(inFeatures.map(({ path }) => path.split('/')[2] ?? ''))
  return new Map(
    inFeatures
      .filter(({ path }) => locate(path).rest === 'feature.ts')
      .map(module => [locate(module.path).unit, readManifest(module, features)]),
  )
}

export const manifestCycles = (manifests: Map<string, Manifest>): string[] =>
  findCycles(new Map([...manifests].map(([feature, { uses }]) => [feature, uses]))).map(
    cycle =>
      `${manifests.get(cycle[0] ?? '')?.path}:1 uses form a circle, ${cycle.join(' -> ')}; ` +
      'let the lower feature raise a hook that the upper one answers',
  )
