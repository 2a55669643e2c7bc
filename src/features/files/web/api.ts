import { clientOf } from '#web/client/api.ts'
import { files } from '../contract.ts'

export const api = clientOf(files)
