export { applyServerEdge, isEdgeCurrent } from './apply-server-edge.ts'
export type { EdgeAsked } from './hooks.ts'
export { EDGE_FOLDER } from './names.ts'
export { publishedName } from './published-panel.ts'
