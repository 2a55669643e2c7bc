export type { SecurityNumbers } from './hooks.ts'
export { protectionOf } from './in-force.ts'
export type { InForce } from './levels/resolve.ts'
