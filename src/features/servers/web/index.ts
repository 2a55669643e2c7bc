export { CheckList } from './CheckList.tsx'
export { monitorOptions } from './monitor.ts'
export { NoServer } from './NoServer.tsx'
