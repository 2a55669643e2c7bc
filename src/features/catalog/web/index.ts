export { DirectorySearch } from './DirectorySearch.tsx'
export { PluginRow, PluginRows } from './PluginRow.tsx'
export { catalogTabs } from './tabs.ts'
export { usePlugins } from './use-plugins.ts'
