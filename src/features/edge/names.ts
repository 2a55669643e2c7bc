import { ROOT } from '#features/servers/index.ts'
import { containerOf } from '#features/stack/index.ts'

export const EDGE_FOLDER = `${ROOT}/edge`
/** One line per request, in its folder `logs`. */
export const EDGE_LOG = 'access.json'
export const EDGE = containerOf('edge')
/** Lives only while a configuration is tested. */
export const EDGE_TEST = `${EDGE}-test`
