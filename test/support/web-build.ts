import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'

const ROOT = join(import.meta.dirname, '..', '..')
const SCREENS = join(ROOT, 'src/web/app/screens.ts')
const ENDPOINTS = 8

/** Files of a feature that is only there while the browser interface is built. */
const filesOf = (name: string, eager: boolean): Record<string, string> => {
  const endpoints = Array.from(
    { length: ENDPOINTS },
    (
      _,
      at,
    ) => `${name}Get${at}: { method: 'GET', path: '/api/${name}/${at}', level: 'read-only', summary: 'Gets ${name} number ${at}',
      reply: z.object({ ${name}Id${at}: z.string().min(${at}), at: z.number(), items: z.array(z.object({ size${at}: z.number() })) }) },`,
  )
  return {
    'contract.ts': `import { z } from 'zod'\nexport const ${name} = { ${endpoints.join('\n')} }`,
    'web/index.ts': `
      import { IconWorld } from '@tabler/icons-react'
      ${eager ? "import { PlantedPage } from './PlantedPage.tsx'" : ''}
      const load = ${eager ? 'async () => PlantedPage' : "async () => (await import('./PlantedPage.tsx')).PlantedPage"}
      const tab = async () => (await import('./PlantedTab.tsx')).PlantedTab
      export const ${name}Screens = {
        entry: { title: '${name}', to: '/${name}', icon: IconWorld, order: 45 },
        screens: [{ path: '/${name}', load }],
        tabs: { site: [{ path: '${name}', label: '${name}', icon: IconWorld, order: 50, load: tab }] },
        home: [{ order: 35, load: () => import('./PlantedPart.tsx') }],
        palette: async () => (await import('./palette.ts')).palette,
      }`,
    'web/api.ts': `import { clientOf } from '#web/client/api.ts'\nimport { ${name} } from '../contract.ts'\nexport const api = clientOf(${name})`,
    'web/PlantedPage.tsx': `import { Page } from '#web/kit/Page.tsx'\nimport { api } from './api.ts'\nexport const PlantedPage = () => <Page title="${name}">{Object.keys(api)}</Page>`,
    'web/PlantedTab.tsx': `import { Section } from '#web/kit/Section.tsx'\nimport { api } from './api.ts'\nexport const PlantedTab = () => <Section title="${name}">{Object.keys(api)}</Section>`,
    'web/PlantedPart.tsx': `import { Section } from '#web/kit/Section.tsx'\nexport const Part = () => <Section title="${name}">${name}</Section>`,
    'web/palette.ts': `import { IconWorld } from '@tabler/icons-react'\nexport const palette = { commands: [{ title: '${name}', icon: IconWorld, to: '/${name}' }] }`,
  }
}

/** Adds features to those that are registered, with the one line that a feature needs. */
export const plant = (names: readonly string[], eager: boolean): Plugin => {
  const files = new Map(
    names.flatMap(name =>
      Object.entries(filesOf(name, eager)).map(
        ([file, text]) => [join(ROOT, 'src/features', name, file), text] as const,
      ),
    ),
  )
  return {
    name: 'planted-features',
    enforce: 'pre',
    resolveId: (id, importer) => {
      const path = id.startsWith('#features/') ? join(ROOT, 'src', id.slice(1)) : join(importer ?? '', '..', id)
      return files.has(path) ? path : undefined
    },
    load: id => files.get(id),
    transform: (code, id) => {
      if (id !== SCREENS) return undefined
      const imports = names.map(name => `import { ${name}Screens } from '#features/${name}/web/index.ts'\n`)
      const own = names.map(name => `${name}Screens`).join(', ')
      return imports.join('') + code.replace('Object.values(found)', `[...Object.values(found), { ${own} }]`)
    },
  }
}

export interface WebBuild {
  /** What the browser runs before any page: the script of the document and all it imports. */
  firstLoad: { bytes: number; modules: readonly string[] }
  /** Of each chunk that is fetched when it is needed, the module it was made for. */
  fetchedLater: readonly string[]
}

/** The browser interface as it is built for people, with features planted. Nothing is written. */
export const buildWeb = async (planted: readonly string[], { eager = false } = {}): Promise<WebBuild> => {
  const built = (await build({
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [plant(planted, eager)],
    build: { write: false },
  })) as Rolldown.RolldownOutput
  const chunks = new Map(built.output.flatMap(file => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
  const first = new Set([...chunks.values()].filter(({ isEntry }) => isEntry))
  for (const chunk of first) for (const name of chunk.imports) first.add(chunks.get(name) ?? chunk)
  const short = (id: string) => id.replace(`${ROOT}/`, '')
  return {
    firstLoad: {
      bytes: [...first].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0),
      modules: [...first].flatMap(({ moduleIds }) => moduleIds.map(short)),
    },
    fetchedLater: [...chunks.values()].flatMap(({ isDynamicEntry, facadeModuleId }) =>
      isDynamicEntry && facadeModuleId ? [short(facadeModuleId)] : [],
    ),
  }
}
