import { findCycles } from '../graph.ts'
import { allImports, type ModuleImport } from '../imports.ts'
import { isBrowserFile, isContract, isPlatformContract, locate } from '../locate.ts'
import { modulesOf } from '../parse.ts'
import type { Rule, SourceFiles } from '../rule.ts'

type FoundImport = ModuleImport & { from: string }
type Part = 'kit' | 'client' | 'screens' | 'app'

const partOf = (path: string): Part => {
  if (path.startsWith('src/features/')) return 'screens'
  if (path.startsWith('src/web/kit/')) return 'kit'
  return path.startsWith('src/web/client/') ? 'client' : 'app'
}

const partsBelow: Record<Part, Part[]> = {
  app: ['app', 'screens', 'client', 'kit'],
  screens: ['screens', 'client', 'kit'],
  client: ['client', 'kit'],
  kit: ['kit'],
}

const isDoor = (path: string) => /^src\/features\/[^/]+\/web\/index\.ts$/.test(path)

const ownFeature = (path: string) => (partOf(path) === 'screens' ? locate(path).unit : undefined)

const refusal = (from: string, target: string): string | undefined => {
  if (partOf(from) === 'kit' && isContract(target)) {
    return 'the kit knows nothing of the product; hand it in as a property'
  }
  if (isPlatformContract(target) || !isBrowserFile(target)) return undefined
  if (!partsBelow[partOf(from)].includes(partOf(target))) {
    return `${partOf(from)} may not import ${partOf(target)}; imports run downwards: app -> screens -> client -> kit`
  }
  if (partOf(target) !== 'screens' || ownFeature(from) === ownFeature(target) || isDoor(target)) return undefined
  return 'reach the screens of a feature only through its web/index.ts; export it there, or register it'
}

const refusedImport = ({ from, target, at }: FoundImport): string[] => {
  const reason = target === undefined ? undefined : refusal(from, target)
  return reason === undefined ? [] : [`${at} imports ${target}: ${reason}`]
}

/** Also where only types are imported: who knows whom, not what is loaded. */
const screenCycles = (imports: readonly FoundImport[]): string[] => {
  const graph = new Map<string, string[]>()
  for (const { from, target = '' } of imports) {
    const [here, there] = [ownFeature(from), isBrowserFile(target) ? ownFeature(target) : undefined]
    if (here === undefined) continue
    graph.set(here, [...(graph.get(here) ?? []), ...(there === undefined || there === here ? [] : [there])])
  }
  return findCycles(graph).map(
    cycle =>
      `src/features/${cycle[0]}/web:1 screens know each other in a circle, ${cycle.join(' -> ')}; let one register`,
  )
}

const productWords = /\b(sites?|servers?|jobs?|domains?|admins?|wordpress|fleetpress)\b/i

const productInKit = (files: SourceFiles): string[] =>
  [...files]
    .filter(([path]) => path.startsWith('src/web/kit/'))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => {
        const word = productWords.exec(line)?.[0]
        return word ? [`${path}:${index + 1} says '${word}'; the kit knows nothing of the product`] : []
      }),
    )

/** The browser's code in four layers; features meet at the doors of their web folders, and never in a circle. */
export const screens: Rule = files => {
  const imports = allImports(files).filter(({ from }) => isBrowserFile(from))
  return {
    checked: modulesOf(files).filter(({ path }) => isBrowserFile(path)).length,
    violations: [...imports.flatMap(refusedImport), ...screenCycles(imports), ...productInKit(files)],
  }
}
