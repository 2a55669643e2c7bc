import { allImports, type ModuleImport } from '../imports.ts'
import { isContract, isPlatformContract, isProductFile, locate } from '../locate.ts'
import { modulesOf } from '../parse.ts'
import type { Rule, SourceFiles } from '../rule.ts'
import { type Manifest, manifestCycles, manifestsOf } from './manifests.ts'

type FoundImport = ModuleImport & { from: string }

const isManifest = (path: string) => /^src\/features\/[^/]+\/feature\.ts$/.test(path)

const driverReach = ({ from, target, at }: FoundImport): string[] => {
  const here = locate(from)
  const there = locate(target ?? '')
  if (here.layer !== 'drivers' || there.layer !== 'drivers' || here.unit === there.unit) return []
  return [`${at} imports ${target}: a driver never imports another driver; combine the two in a feature`]
}

const manifestReach = ({ from, target, at }: FoundImport): string[] =>
  target && isManifest(target) && !from.startsWith('src/app/')
    ? [`${at} imports ${target}: only src/app imports a manifest; import the feature's index.ts or contract.ts`]
    : []

const contractReach = ({ from, target, specifier, at }: FoundImport): string[] => {
  if (!isContract(from)) return []
  const allowed = target
    ? isContract(target) || isPlatformContract(target)
    : specifier === 'zod' || specifier.startsWith('zod/')
  if (allowed) return []
  return [`${at} imports ${target ?? specifier}: a contract imports only zod, #platform/contract and other contracts`]
}

const featureReach = ({ from, target, at }: FoundImport, manifests: Map<string, Manifest>): string[] => {
  const here = locate(from)
  const there = locate(target ?? '')
  if (here.layer !== 'features' || there.layer !== 'features' || here.unit === there.unit) return []
  if (target && isManifest(target)) return []
  if (!['index.ts', 'contract.ts'].includes(there.rest)) {
    return [`${at} imports ${target}: reach another feature only through its index.ts or contract.ts`]
  }
  if (manifests.get(here.unit)?.uses.includes(there.unit)) return []
  const manifest = `src/features/${here.unit}/feature.ts`
  return [`${at} imports ${target}, but ${manifest} does not use it; add '${there.unit}' to its uses`]
}

const isUnit = (path: string) => ['features', 'drivers'].includes(locate(path).layer)

const looseFiles = (files: SourceFiles): string[] =>
  [...files.keys()]
    .filter(path => /^src\/(features|drivers)\/[^/]+$/.test(path) && isProductFile(path))
    .map(path => `${path}:1 is not in a folder; move it into the feature or driver it belongs to`)

/** Drivers are islands; features meet only at their doors, as their manifests say, and never in a circle. */
export const boundaries: Rule = files => {
  const manifests = manifestsOf(files)
  const imports = allImports(files).filter(({ from }) => isProductFile(from))
  return {
    checked: modulesOf(files).filter(({ path }) => isUnit(path)).length,
    violations: [
      ...looseFiles(files),
      ...imports.flatMap(driverReach),
      ...imports.flatMap(manifestReach),
      ...imports.flatMap(contractReach),
      ...imports.flatMap(found => featureReach(found, manifests)),
      ...[...manifests.values()].flatMap(({ problems }) => problems),
      ...manifestCycles(manifests),
    ],
  }
}
