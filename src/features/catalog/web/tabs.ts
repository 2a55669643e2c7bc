import type { Tab } from '#web/kit/Page.tsx'

/** Plugins and the recipes that set them up are two parts of one place. */
export const catalogTabs: readonly Tab[] = [
  { label: 'Plugins', to: '/catalog' },
  { label: 'Recipes', to: '/catalog/recipes' },
]
