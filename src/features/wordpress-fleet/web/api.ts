import { clientOf } from '#web/client/api.ts'
import { wordpressFleet } from '../contract.ts'

export const api = clientOf(wordpressFleet)
