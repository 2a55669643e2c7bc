import { z } from 'zod'
import { PROTECTION_LEVELS as LEVELS } from '#features/sites/contract.ts'

export { LEVELS }
export const Level = z.enum(LEVELS)
export type Level = z.infer<typeof Level>

const Refused = z.enum(['allowed', 'refused'])
const Limited = z.enum(['allowed', 'limited', 'refused'])

export const Rate = z.strictObject({
  requests: z.int().min(1).max(10_000).describe('how many'),
  per: z.enum(['second', 'minute']).describe('in this time'),
  burst: z.int().min(0).max(100_000).describe('how many more may come at once before the rate applies'),
})
export type Rate = z.infer<typeof Rate>

const Limit = Rate.nullable()

export const Rules = z.strictObject({
  sensitiveFiles: Refused.describe('.env, .git, copies of wp-config, debug.log, SQL dumps'),
  uploadsPhp: Refused.describe('PHP in wp-content/uploads'),
  installScripts: Refused.describe('wp-admin/install.php and setup-config.php'),
  scanners: Refused.describe('user agents of scanners'),
  userEnumeration: Refused.describe('/?author=N, and the list of users over REST for visitors who are not signed in'),
  xmlrpc: Limited.describe('xmlrpc.php'),
  wpCron: Refused.describe('wp-cron.php from outside'),
})

export const Limits = z.strictObject({
  login: Limit.describe('sign-in attempts: POST to wp-login.php; null for no limit'),
  xmlrpc: Limit.describe('XML-RPC, where it is limited; null for no limit'),
  requests: Limit.describe('everything else; null for no limit'),
  assets: Limit.describe('below wp-content and wp-includes; null for no limit'),
})

export const Headers = z.strictObject({
  noSniff: z.boolean().describe('X-Content-Type-Options: nosniff'),
  frameOptions: z.boolean().describe('X-Frame-Options: SAMEORIGIN'),
  hsts: z.boolean().describe('Strict-Transport-Security, for one year'),
  referrerPolicy: z.boolean().describe('Referrer-Policy: strict-origin-when-cross-origin'),
})

export const Hardening = z.strictObject({
  noPhpInUploads: z.boolean().describe('the site itself runs no PHP in wp-content/uploads'),
  noFileEditor: z.boolean().describe('no file editor in wp-admin'),
  noInstalls: z.boolean().describe('no installs and updates in wp-admin; the panel still can'),
})

/** Every row of the three tables. */
export const Rows = z.strictObject({ rules: Rules, limits: Limits, headers: Headers, hardening: Hardening })
export type Rows = z.infer<typeof Rows>

export const Overrides = z
  .strictObject({
    rules: Rules.partial().describe('rules that differ from the level'),
    limits: Limits.partial().describe('limits that differ from the level'),
    headers: Headers.partial().describe('headers that differ from the level'),
    hardening: Hardening.partial().describe('hardening that differs from the level'),
  })
  .partial()
export type Overrides = z.infer<typeof Overrides>

const rate = (requests: number, per: Rate['per'], burst: number): Rate => ({ requests, per, burst })

/** What each level means. */
export const LEVEL_ROWS: Readonly<Record<Level, Rows>> = {
  off: {
    rules: {
      sensitiveFiles: 'allowed',
      uploadsPhp: 'allowed',
      installScripts: 'allowed',
      scanners: 'allowed',
      userEnumeration: 'allowed',
      xmlrpc: 'allowed',
      wpCron: 'allowed',
    },
    limits: { login: null, xmlrpc: null, requests: null, assets: null },
    headers: { noSniff: false, frameOptions: false, hsts: false, referrerPolicy: false },
    hardening: { noPhpInUploads: false, noFileEditor: false, noInstalls: false },
  },
  standard: {
    rules: {
      sensitiveFiles: 'refused',
      uploadsPhp: 'refused',
      installScripts: 'refused',
      scanners: 'refused',
      userEnumeration: 'refused',
      xmlrpc: 'limited',
      wpCron: 'allowed',
    },
    limits: {
      login: rate(20, 'minute', 2),
      xmlrpc: rate(30, 'minute', 2),
      requests: rate(50, 'second', 500),
      assets: rate(200, 'second', 4000),
    },
    headers: { noSniff: true, frameOptions: false, hsts: false, referrerPolicy: false },
    hardening: { noPhpInUploads: true, noFileEditor: true, noInstalls: false },
  },
  strict: {
    rules: {
      sensitiveFiles: 'refused',
      uploadsPhp: 'refused',
      installScripts: 'refused',
      scanners: 'refused',
      userEnumeration: 'refused',
      xmlrpc: 'refused',
      wpCron: 'refused',
    },
    limits: {
      login: rate(6, 'minute', 2),
      xmlrpc: null,
      requests: rate(10, 'second', 100),
      assets: rate(100, 'second', 1000),
    },
    headers: { noSniff: true, frameOptions: true, hsts: true, referrerPolicy: true },
    hardening: { noPhpInUploads: true, noFileEditor: true, noInstalls: true },
  },
}
