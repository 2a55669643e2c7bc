export { AccessChoice } from './AccessChoice.tsx'
export { ActivityTable } from './ActivityTable.tsx'
export { settingsOptions } from './settings.ts'
export { type Key, useKeys } from './use-keys.ts'
