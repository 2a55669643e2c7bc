export { bounded } from './bounded.ts'
export { latestSites } from './latest.ts'
export { deleteSamples } from './sample-store.ts'
