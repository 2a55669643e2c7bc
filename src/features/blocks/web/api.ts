import { clientOf } from '#web/client/api.ts'
import { blocks } from '../contract.ts'

export const api = clientOf(blocks)
