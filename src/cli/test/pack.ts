import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'
import { type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { hashFiles } from '../panel/fingerprint.ts'
import { inRepository, ROOT } from '../repository.ts'
import { findTestFiles } from './find-files.ts'

const FOLDER = inRepository('.cache', 'tests')
const DAY_MS = 86_400_000
/** Packages of hundreds of small modules; all others are loaded as they are. */
const SMALL_MODULES = /^(?:kysely|zod)(?:\/|$)/
/** What tests start as processes of their own, again and again: the panel, its command line, and panels with faults. */
const PROGRAMS = [
  'src/main.ts',
  'src/cli/main.ts',
  ...['fault-panel', 'killed-panel', 'shared-queue-panel'].map(name => `test/jobs/${name}.ts`),
]
const PRODUCT = /\/src\/(?:app|drivers|features|migrations|platform)\//
/** Screens bring an editor and charts with them, which a panel never loads. */
const SCREENS = /\/web\//

/** A text that has the lines of its source, though not all of their words. */
const lineByLine = (id: string, code: string) => {
  const mappings = code.split('\n').map((_, at) => (at === 0 ? 'AAAA' : 'AACA'))
  return { code, map: { version: 3, sources: [id], names: [], mappings: mappings.join(';') } }
}

/** `import.meta` says where the source is, so that what lies next to it is found. */
const atItsSource: Plugin = {
  name: 'at-its-source',
  transform(code, id) {
    if (!id.startsWith(ROOT) || id.includes('node_modules') || !code.includes('import.meta')) return undefined
    const known: Record<string, unknown> = {
      url: pathToFileURL(id).href,
      dirname: dirname(id),
      filename: id,
      main: false,
    }
    let text = code
    for (const { end, start } of parseSync(id, code).module.importMetas.toReversed()) {
      const name = /^\.(\w+)/.exec(code.slice(end))?.[1] ?? ''
      if (name in known) text = text.slice(0, start) + JSON.stringify(known[name]) + text.slice(end + name.length + 1)
    }
    return lineByLine(id, text)
  },
}

/** Modules that are found by their names when the panel starts: the call that loads one, by its word, and all of them. */
const FOUND_BY_NAME = [
  {
    file: 'src/app/features.ts',
    call: 'await import(`#features/${name}/feature.ts`)',
    word: 'name',
    modules: 'src/features/*/feature.ts',
    wordOf: (path: string) => path.split('/')[2] ?? '',
  },
  {
    file: 'src/app/migrations.ts',
    call: 'await import(join(SOURCES, file))',
    word: 'file',
    modules: 'src/{migrations,features/*/migrations}/[0-9][0-9][0-9][0-9]-*.ts',
    wordOf: (path: string) => relative('src', path),
  },
]

const foundByName: Plugin = {
  name: 'found-by-name',
  transform(code, id) {
    const found = FOUND_BY_NAME.find(({ file }) => id === inRepository(file))
    if (!found) return undefined
    if (!code.includes(found.call))
      throw new Error(`${found.file} loads its modules in another way than pack.ts knows.`)
    const paths = globSync(found.modules, { cwd: ROOT })
    const imports = paths.map((path, at) => `import * as found${at} from ${JSON.stringify(inRepository(path))}; `)
    const table = paths.map((path, at) => `${JSON.stringify(found.wordOf(path))}: found${at}`)
    const calling = code.replace(found.call, `FOUND[${found.word}]`)
    return lineByLine(id, `${imports.join('')}const FOUND = { ${table.join(', ')} }; ${calling}`)
  },
}

type ChunkGroup = NonNullable<Exclude<OutputOptions['codeSplitting'], boolean | undefined>['groups']>[number]

const THE_PANEL = inRepository('src', 'app', 'features.ts')

/** Finds the files that load all features, when all modules are known. */
const whoLoadsThePanel = (files: readonly string[], found: Set<string>): Plugin => ({
  name: 'who-loads-the-panel',
  generateBundle() {
    const importers = new Set([THE_PANEL])
    for (const id of importers) for (const importer of this.getModuleInfo(id)?.importers ?? []) importers.add(importer)
    for (const file of files) if (importers.has(inRepository(file))) found.add(file)
  },
})

const write = async (folder: string, files: readonly string[], plugins: Plugin[], groups: ChunkGroup[]) => {
  const packing = await rolldown({
    input: Object.fromEntries(files.map(file => [file.replace(/\.ts$/, ''), inRepository(file)])),
    cwd: ROOT,
    platform: 'node',
    logLevel: 'silent',
    treeshake: false,
    external: id => !/^[#./]/.test(id) && !SMALL_MODULES.test(id),
    plugins: [foundByName, atItsSource, ...plugins],
  })
  await packing.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // What looks like it does nothing may be there to throw.
    minify: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    codeSplitting: { groups },
  })
  await packing.close()
}

/** Most tests load the whole product, as one file; the others would wait longer for it than for themselves. */
const build = async (folder: string): Promise<void> => {
  const files = [...findTestFiles(ROOT), ...PROGRAMS]
  const withPanel = new Set<string>()
  const packages = { name: 'packages', test: /\/node_modules\// }
  await write(
    folder,
    files,
    [whoLoadsThePanel(files, withPanel)],
    [packages, { name: 'product', test: id => PRODUCT.test(id) && !SCREENS.test(id) && !id.endsWith('.test.ts') }],
  )
  const others = files.filter(file => !withPanel.has(file))
  await write(folder, others, [], [packages])
}

const removeOld = (): void => {
  for (const name of globSync('*', { cwd: FOLDER }))
    if (Date.now() - statSync(join(FOLDER, name)).mtimeMs > DAY_MS) rmSync(join(FOLDER, name), { recursive: true })
}

/**
 * Packs every test file with all it loads, since loading a thousand modules is most of what a short test takes. Returns
 * the folder, in which each has its own path and ends in .js. What has not changed was packed before.
 */
export const packTests = async (): Promise<string> => {
  const folder = join(
    FOLDER,
    hashFiles(ROOT, ['src', 'test', 'package-lock.json'], path => path.endsWith('.ts')),
  )
  if (existsSync(folder)) return folder
  const next = `${folder}.${process.pid}`
  await build(next)
  // Another run may have been faster.
  if (existsSync(folder)) rmSync(next, { recursive: true })
  else renameSync(next, folder)
  removeOld()
  return folder
}
