import { clientOf } from '#web/client/api.ts'
import { mcp } from '../contract.ts'

export const api = clientOf(mcp)
