import { isBuiltin } from 'node:module'
import { allImports, type ModuleImport } from '../imports.ts'
import { isContract, isPlatformContract, isProductFile, isUnder, type Layer, locate } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule } from '../rule.ts'
import { isGlobal, literalText, memberName } from '../syntax.ts'

const layersBelow: Record<Layer, Layer[]> = {
  top: ['top', 'features', 'drivers', 'platform', 'migrations'],
  features: ['features', 'drivers', 'platform'],
  drivers: ['drivers', 'platform'],
  platform: ['platform'],
  migrations: ['migrations'],
  web: ['web'],
  tests: [],
  tooling: [],
  unknown: [],
}

// Migrations and features are found in their folders at run time, so their paths cannot be literals.
const filesThatImportComputedPaths = ['src/platform/db', 'src/app/features.ts', 'src/app/migrations.ts']

const refusedTarget = (from: string, target: string): string | undefined => {
  const here = locate(from).layer
  const there = locate(target).layer
  if (there === 'tests') return 'product code may not import tests; move what both need into src'
  if (isPlatformContract(from) && !isPlatformContract(target)) {
    return 'src/platform/contract is loaded by the browser, so it imports only its own folder; move this part out of it'
  }
  if (here === 'web' && isContract(target)) return undefined
  if (here === 'web' && isPlatformContract(target)) return undefined
  if (layersBelow[here].includes(there)) return undefined
  if (here === 'web')
    return 'browser code imports only web files, contracts and packages; ask the server through its API'
  return `${here} may not import ${there}; imports run downwards: cli, app -> features -> drivers -> platform`
}

const refusedPackage = (from: string, specifier: string): string | undefined => {
  const { layer } = locate(from)
  if (specifier === 'node:test' && !isUnder(from, ['src/cli/test']))
    return 'only tests use it; move what tests share into test/support'
  if (layer === 'migrations' && !/^kysely(\/|$)/.test(specifier))
    return 'a migration imports only kysely; write out what it needs'
  if ((layer === 'web' || isPlatformContract(from)) && isBuiltin(specifier)) {
    return 'the browser has no built-in modules of Node; use what the browser offers'
  }
  return undefined
}

const refusedImport = (found: ModuleImport & { from: string }): string[] => {
  const refusal = found.target ? refusedTarget(found.from, found.target) : refusedPackage(found.from, found.specifier)
  return refusal ? [`${found.at} imports ${found.target ?? found.specifier}: ${refusal}`] : []
}

const computedImports = (module: ParsedModule): string[] =>
  module
    .nodesOf('ImportExpression')
    .filter(({ source }) => literalText(source) === undefined && !isUnder(module.path, filesThatImportComputedPaths))
    .map(node => `${module.at(node)} imports a computed path, which no rule can follow; write the path out`)

const mockedModules = (module: ParsedModule): string[] =>
  module
    .nodesOf('CallExpression')
    .filter(({ callee }) => {
      if (callee.type !== 'MemberExpression') return false
      const { object } = callee
      const name = memberName(callee) ?? ''
      const onMock = isGlobal(object, 'mock') || memberName(object) === 'mock'
      return (onMock && name === 'module') || (isGlobal(object, 'vi') && ['mock', 'doMock'].includes(name))
    })
    .map(node => `${module.at(node)} mocks a module; hand the part in through a parameter, the seam is missing`)

/** Imports run downwards only, the browser never reaches the server's files, and no test mocks a module. */
export const layers: Rule = files => {
  const modules = modulesOf(files)
  const product = modules.filter(({ path }) => isProductFile(path))
  const misplaced = product
    .filter(({ path }) => locate(path).layer === 'unknown')
    .map(({ path }) => `${path}:1 lies in no known layer; move it into app, cli, features, drivers, platform or web`)
  const imports = allImports(files).filter(({ from }) => isProductFile(from) && locate(from).layer !== 'unknown')
  return {
    checked: product.length,
    violations: [
      ...misplaced,
      ...imports.flatMap(refusedImport),
      ...product.flatMap(computedImports),
      ...modules.flatMap(mockedModules),
    ],
  }
}
