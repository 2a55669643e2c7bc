export { monitorOptions } from './monitor.ts'
export { NoServer } from './NoServer.tsx'
