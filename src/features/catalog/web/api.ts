import { clientOf } from '#web/client/api.ts'
import { catalog } from '../contract.ts'

export const api = clientOf(catalog)
