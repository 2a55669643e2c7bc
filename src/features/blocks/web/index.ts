export { CheckBox } from './CheckBox.tsx'
export { securityTabs } from './tabs.ts'
