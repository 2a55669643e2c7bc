export type Layer = 'top' | 'features' | 'drivers' | 'platform' | 'migrations' | 'web' | 'tests' | 'tooling' | 'unknown'

export interface Location {
  layer: Layer
  /** The feature, driver or platform part a file belongs to. */
  unit: string
  /** The path below that unit. */
  rest: string
}

export const isTestFile = (path: string) => /\.test\.[cm]?tsx?$/.test(path) || /^(test|bench)\//.test(path)

export const isProductFile = (path: string) => path.startsWith('src/') && !isTestFile(path)

const layersWithOneFolder = new Map<string, Layer>([
  ['app', 'top'],
  ['cli', 'top'],
  ['main.ts', 'top'],
  ['migrations', 'migrations'],
  ['web', 'web'],
])

export const locate = (path: string): Location => {
  if (isTestFile(path)) return { layer: 'tests', unit: '', rest: path }
  const [root = '', folder = '', unit = '', ...rest] = path.split('/')
  if (root !== 'src') return { layer: 'tooling', unit: '', rest: path }
  const below = rest.join('/')
  if (folder === 'features') return { layer: rest[0] === 'web' ? 'web' : 'features', unit, rest: below }
  if (folder === 'drivers' || folder === 'platform') return { layer: folder, unit, rest: below }
  return { layer: layersWithOneFolder.get(folder) ?? 'unknown', unit: '', rest: below }
}

/** Of a feature, or the list of all of them. */
export const isContract = (path: string) =>
  /^src\/features\/[^/]+\/(?:[^/]+\/)?contract\.ts$/.test(path) || path === 'src/app/contract.ts'

export const isPlatformContract = (path: string) => path.startsWith('src/platform/contract/')

export const isBrowserFile = (path: string) => locate(path).layer === 'web'

export const isUnder = (path: string, folders: string[]) =>
  folders.some(folder => path === folder || path.startsWith(`${folder}/`))
