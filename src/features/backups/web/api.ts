import { clientOf } from '#web/client/api.ts'
import { backups } from '../contract.ts'

export const api = clientOf(backups)
