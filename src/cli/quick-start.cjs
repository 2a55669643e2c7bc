// Loading a thousand modules is most of a start. Plain JavaScript, so that no compiler is loaded for it.
const { readFileSync } = require('node:fs')
const { enableCompileCache, registerHooks } = require('node:module')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const FOLDER = join(__dirname, '..', '..')
const ROOT = pathToFileURL(join(FOLDER, '/')).href
const { imports } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))

// The cache is in the repository: the default folder is in /tmp, where another user could plant code for root.
enableCompileCache(join(FOLDER, '.cache', 'node'))

// '#app/*': './src/app/*' in package.json becomes '#app/': 'file:///…/src/app/'.
const FOLDERS = new Map(
  Object.entries(imports).map(([name, folder]) => [name.slice(0, -1), ROOT + folder.slice('./'.length, -1)]),
)

const addressOf = (specifier, parent) => {
  if (specifier.startsWith('.')) return new URL(specifier, parent).href
  const end = specifier.indexOf('/') + 1
  const folder = FOLDERS.get(specifier.slice(0, end))
  return folder && folder + specifier.slice(end)
}

// Sources name each other by their whole path, so nothing has to be looked for. Node would read three files for each.
registerHooks({
  resolve(specifier, context, resolve) {
    const isOurs = specifier.endsWith('.ts') && context.parentURL?.startsWith(ROOT)
    const url = isOurs ? addressOf(specifier, context.parentURL) : undefined
    return url ? { url, format: 'module-typescript', shortCircuit: true } : resolve(specifier, context)
  },
})
