/** Every variable the panel's configuration reads; a test compares this with the configuration's schema. */
export const PANEL_VARIABLES = [
  'FLEETPRESS_DATA',
  'FLEETPRESS_PORT',
  'FLEETPRESS_LISTEN',
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'DNS_SERVERS',
  'DNS_TOKEN',
  'FLEETPRESS_CA_FILE',
  'DATABASE_URL',
  'LOG_LEVEL',
]

type Environment = Record<string, string | undefined>

/** The process of the update that runs a command: it alone may start a panel in the middle of it, as long as it lives. */
export const UPDATER_VARIABLE = 'FLEETPRESS_UPDATER'

/** What belongs to the caller of the CLI and not to the panel it starts. */
const OWN_VARIABLES = ['FLEETPRESS_URL', 'FLEETPRESS_KEY', UPDATER_VARIABLE]

const without = (env: Environment, isRefused: (name: string) => boolean): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isRefused(name)))

/** The environment of a panel started from here; the folder is spelled out because it may have been a relative path. */
export const environmentOfPanel = (env: Environment, dataDir: string): Environment => ({
  ...without(env, name => OWN_VARIABLES.includes(name)),
  FLEETPRESS_DATA: dataDir,
})

/** The environment of tests: they run next to a panel and must not find it. */
export const environmentOfTests = (env: Environment): Environment =>
  without(env, name => name.startsWith('FLEETPRESS_') || PANEL_VARIABLES.includes(name) || name === 'NODE_TEST_CONTEXT')

/** Only what configures the panel, for a unit file that is kept beyond this shell. */
export const configuredVariables = (env: Environment): [string, string][] =>
  PANEL_VARIABLES.flatMap(name => {
    const value = env[name]
    return value === undefined || value === '' || name === 'FLEETPRESS_DATA' ? [] : [[name, value]]
  })
