import type { Tone } from '#web/kit/Status.tsx'
import type { Condition, Level, Rows, StoredRule } from '../contract.ts'

export const levelWords: Readonly<Record<Level, { word: string; tone: Tone }>> = {
  off: { word: 'Off', tone: 'warning' },
  standard: { word: 'Standard', tone: 'good' },
  strict: { word: 'Strict', tone: 'good' },
}

/** What a row of a table is called, and what it covers. */
export interface RowWords {
  label: string
  about: string
}

type RowsOf<P extends keyof Rows> = Readonly<Record<keyof Rows[P] & string, RowWords>>

export const rowWords: { readonly [P in keyof Rows]: RowsOf<P> } = {
  rules: {
    sensitiveFiles: { label: 'Sensitive files', about: '.env, .git, copies of wp-config, debug.log, SQL dumps' },
    uploadsPhp: { label: 'PHP in uploads', about: 'below wp-content/uploads' },
    installScripts: { label: 'Install scripts', about: 'wp-admin/install.php and setup-config.php' },
    scanners: { label: 'Scanners', about: 'user agents of known attack tools' },
    userEnumeration: { label: 'User enumeration', about: '/?author=N, and the user list for signed-out visitors' },
    xmlrpc: { label: 'XML-RPC', about: 'xmlrpc.php' },
    wpCron: { label: 'wp-cron.php', about: 'from outside; scheduled events still run' },
  },
  limits: {
    login: { label: 'Sign-in attempts', about: 'POST to wp-login.php' },
    xmlrpc: { label: 'XML-RPC', about: 'where it is limited' },
    requests: { label: 'Requests', about: 'everything else' },
    assets: { label: 'Assets', about: 'below wp-content and wp-includes' },
  },
  headers: {
    noSniff: { label: 'X-Content-Type-Options', about: 'nosniff' },
    frameOptions: { label: 'X-Frame-Options', about: 'SAMEORIGIN' },
    hsts: { label: 'Strict-Transport-Security', about: 'one year' },
    referrerPolicy: { label: 'Referrer-Policy', about: 'strict-origin-when-cross-origin' },
  },
  hardening: {
    noPhpInUploads: { label: 'No PHP in uploads', about: 'the site itself refuses it, too' },
    noFileEditor: { label: 'No file editor', about: 'in wp-admin' },
    noInstalls: { label: 'No installs in wp-admin', about: 'updates in the panel still work' },
  },
}

export const partWords: Readonly<Record<keyof Rows, { title: string; about: string }>> = {
  rules: { title: 'Requests', about: 'A refused request gets 403.' },
  limits: { title: 'Rate limits', about: 'For each visitor address. A request over the limit gets 429.' },
  headers: { title: 'Response headers', about: 'Sent with every response.' },
  hardening: { title: 'Hardening', about: "Set outside the site, so that it can't change it." },
}

const ruleNames: Readonly<Record<string, string>> = {
  'sensitive-files': rowWords.rules.sensitiveFiles.label,
  'uploads-php': rowWords.rules.uploadsPhp.label,
  'install-scripts': rowWords.rules.installScripts.label,
  scanners: rowWords.rules.scanners.label,
  'user-enumeration': rowWords.rules.userEnumeration.label,
  xmlrpc: rowWords.rules.xmlrpc.label,
  'wp-cron': rowWords.rules.wpCron.label,
  'limit:login': 'Limit: sign-in attempts',
  'limit:xmlrpc': 'Limit: XML-RPC',
  'limit:requests': 'Limit: requests',
  'limit:assets': 'Limit: assets',
}

/** What refused a request; a rule of the site by its note. */
export const ruleText = (rule: string, customRules: readonly StoredRule[]): string => {
  if (!rule.startsWith('custom:')) return ruleNames[rule] ?? rule
  const own = customRules.findIndex(({ id }) => `custom:${id}` === rule)
  return own < 0 ? 'A deleted rule' : customRules[own]?.note || `Rule ${own + 1}`
}

export const fieldWords: Readonly<Record<Condition['field'], string>> = {
  address: 'Address',
  path: 'Path',
  query: 'Query',
  method: 'Method',
  hostname: 'Hostname',
  userAgent: 'User agent',
  referrer: 'Referrer',
  header: 'Header',
  cookie: 'Cookie',
}

export const operatorWords: Readonly<Record<Condition['operator'], string>> = {
  equals: 'equals',
  contains: 'contains',
  begins: 'begins with',
  ends: 'ends with',
  pattern: 'matches pattern',
}
