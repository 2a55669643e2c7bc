import type { EdgeRule } from '#drivers/nginx/edge-guard.ts'
import type { Rows } from '../levels/contract.ts'

type RuleName = keyof Rows['rules']

/** What each row of the table is called in the log. */
export const RULE_NAMES: Readonly<Record<RuleName, string>> = {
  sensitiveFiles: 'sensitive-files',
  uploadsPhp: 'uploads-php',
  installScripts: 'install-scripts',
  scanners: 'scanners',
  userEnumeration: 'user-enumeration',
  xmlrpc: 'xmlrpc',
  wpCron: 'wp-cron',
}

const HIDDEN_FILES =
  'env|git[a-z]*|svn|hg|bzr|aws|ssh|docker|vscode|idea|ht(?:access|passwd|digest)|user\\.ini|npmrc|netrc|bash_history|ds_store|wp-config'
const PACKED = '(?:\\.(?:gz|bz2|xz|zst|zip|7z|rar|tar|tgz))?'
const COPY = '(?:~|\\.(?:bak|old|orig|save|swp|swo|tmp))?'

const SENSITIVE = [
  `/\\.(?:${HIDDEN_FILES})(?:[^a-z0-9]|$)`,
  // The file itself, too: there is nothing to see in it. A page may be about it, as in /how-to-edit-wp-config.
  '/[^/a-z0-9-]?wp-config(?:[^/a-z0-9-][^/]*|-(?:sample|backup|bak|old|copy|orig)[^/]*)?$',
  '/(?:debug|error|php_errors?|php-errors?)[^/]*\\.log[^/]*$',
  `/(?:error_log|php_errorlog)${PACKED}$`,
  `\\.(?:sql|sqlite3?|mysql|dump)${PACKED}${COPY}$`,
].join('|')

const UPLOADED_PHP = '/wp-content/uploads/(?:.*/)?[^/]*\\.(?:php[0-9]?|phtml|phar|pht|phps)(?:/|$)'

const INSTALL_SCRIPTS = '/wp-admin/(?:install|setup-config)\\.php$'

const SCANNERS =
  '\\b(?:sqlmap|nikto|wpscan|nmap|masscan|zgrab|nuclei|acunetix|nessus|openvas|dirbuster|dirb|gobuster|ffuf|' +
  'feroxbuster|wfuzz|havij|w3af|arachni|jorgee|netsparker|invicti|whatweb|joomscan|fimap|zmeu|morfeus|commix|' +
  'thc-hydra|xsstrike|jaeles|webshag|wpforce|plecost|cmsmap|zaproxy|l9explore|leakix)\\b'

/** PHP takes a space, a dot and an open bracket in the name of a field for an underscore. */
const SPELLINGS: Readonly<Record<string, string>> = { _: '_|%5f|\\.|%2e|\\+|%20|\\[|%5b', '/': '/|%2f' }

/** The text as it may stand in a query, each character encoded or not. */
const asSent = (text: string): string =>
  text
    .split('')
    .map(c => `(?:${SPELLINGS[c] ?? `${c}|%${c.charCodeAt(0).toString(16)}`})`)
    .join('')

const FIELD_START = '(?:^|&)(?:\\+|%20)*'
const AUTHOR = `${FIELD_START}${asSent('author')}(?:(?:\\[|%5b)[^=&]*)?=(?:\\+|-|%2b|%2d|%20)*(?:[0-9]|%3[0-9])`
const USER_LIST = '/wp-json/wp/v2/users(?:/|$)'
const USER_LIST_QUERY = `${FIELD_START}${asSent('rest_route')}=${asSent('/wp/v2/users')}(?:/|%2f|&|$)`
/** WordPress itself checks whether these are true. */
const ANONYMOUS: EdgeRule['conditions'] = [
  { of: { header: 'Cookie' }, pattern: 'wordpress_logged_in_', isNot: true },
  { of: { header: 'Authorization' }, pattern: '.', isNot: true },
]

const at = (pattern: string): EdgeRule['conditions'][number] => ({ of: 'path', pattern })

export const XMLRPC = at('/xmlrpc\\.php$')
export const LOGIN = [at('/wp-login\\.php$'), { of: 'method', pattern: '^POST$' }] as const
export const ASSETS = at('^/wp-(?:content|includes)/')

/** All conditions of the built-in rules. The second kind of a rule has a line of its own. */
const conditionsOf = (inside: readonly string[]): [rule: RuleName, conditions: EdgeRule['conditions']][] => [
  ['sensitiveFiles', [at(SENSITIVE)]],
  ['uploadsPhp', [at(UPLOADED_PHP)]],
  ['installScripts', [at(INSTALL_SCRIPTS)]],
  ['scanners', [{ of: 'userAgent', pattern: SCANNERS }]],
  ['userEnumeration', [at('^/(?:index\\.php)?$'), { of: 'query', pattern: AUTHOR }]],
  ['userEnumeration', [at(USER_LIST), ...ANONYMOUS]],
  ['userEnumeration', [{ of: 'query', pattern: USER_LIST_QUERY }, ...ANONYMOUS]],
  ['xmlrpc', [XMLRPC]],
  ['wpCron', [at('/wp-cron\\.php$'), { networks: inside, isNot: true }]],
]

/** Those that these rows switch on. `inside` are the networks of sites, whose requests to wp-cron.php are their own. */
export const builtInRules = (rules: Rows['rules'], inside: readonly string[]): EdgeRule[] =>
  conditionsOf(inside)
    .filter(([rule]) => rules[rule] === 'refused')
    .map(([rule, conditions]) => ({ name: RULE_NAMES[rule], action: 'block', match: 'all', conditions }))
