import type { z } from 'zod'
import type { detectionSettings } from '../settings.ts'
import type { Limits } from './suspects.ts'

type DetectionSettings = z.output<(typeof detectionSettings)['fields']>

/** How many requests of each kind are too many. */
export const limitsOf = ({ windowMinutes, failedLogins, xmlrpc, probing, refused }: DetectionSettings): Limits => ({
  windowMs: windowMinutes * 60_000,
  limits: { 'failed-logins': failedLogins, xmlrpc, probing, refused },
})
