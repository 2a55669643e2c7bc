import { IconPackage } from '@tabler/icons-react'
import type { WebFeature } from '#web/client/registration.ts'

export const catalogScreens: WebFeature = {
  entry: { title: 'Catalog', to: '/catalog', icon: IconPackage, keywords: 'plugins zip premium recipes', order: 27 },
  screens: [
    { path: '/catalog', load: async () => (await import('./CatalogPage.tsx')).CatalogPage },
    { path: '/catalog/plugins/:id', load: async () => (await import('./PluginPage.tsx')).PluginPage },
  ],
}
