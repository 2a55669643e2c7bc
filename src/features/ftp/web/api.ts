import { clientOf } from '#web/client/api.ts'
import { ftp } from '../contract.ts'

export const api = clientOf(ftp)
