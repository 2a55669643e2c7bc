export { catalogTabs } from './tabs.ts'
export { usePlugins } from './use-plugins.ts'
