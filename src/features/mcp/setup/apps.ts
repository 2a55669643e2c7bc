import type { SetupApp } from '../contract.ts'

const NAME = 'fleetpress'
const TOKEN = 'YOUR_TOKEN'
const HEADER = `Authorization: Bearer ${TOKEN}`

type Snippet = SetupApp['snippets'][number]

const json = (value: unknown) => JSON.stringify(value, null, 2)
const headers = { Authorization: `Bearer ${TOKEN}` }

const file = (signIn: Snippet['signIn'], title: string, text: string): Snippet => ({ signIn, title, text })
const command = (signIn: Snippet['signIn'], text: string): Snippet => file(signIn, 'Run in a terminal', text)

/** Apps that run in the cloud and take the address alone. */
const byAddress = (id: string, name: string, steps: readonly string[]): SetupApp => ({
  id,
  name,
  signIn: ['browser'],
  steps: [...steps, 'Sign in to Fleetpress in the window that opens, and choose what the app may do.'],
  snippets: [],
})

/** Apps that run on a person's computer: they sign in through the browser, or take a token. */
const local = (id: string, name: string, step: string, snippets: Snippet[]): SetupApp => ({
  id,
  name,
  signIn: ['browser', 'token'],
  steps: [step, 'Sign in when the app opens Fleetpress in your browser, or use a token instead.'],
  snippets,
})

const claude = (url: string) =>
  byAddress('claude', 'Claude (web, desktop, mobile)', [
    'Open Settings, Connectors, and choose Add custom connector.',
    `Enter the address ${url} and choose Add, then Connect.`,
  ])

const chatgpt = (url: string) =>
  byAddress('chatgpt', 'ChatGPT', [
    'Open Settings, Apps & Connectors, and turn on developer mode under Advanced settings.',
    `Choose Create, enter the address ${url}, and choose OAuth for authentication.`,
  ])

const claudeCode = (url: string) =>
  local('claude-code', 'Claude Code', 'Add the server, then run /mcp in Claude Code.', [
    command('browser', `claude mcp add --transport http ${NAME} ${url}`),
    command('token', `claude mcp add --transport http ${NAME} ${url} --header "${HEADER}"`),
  ])

const cursor = (url: string) =>
  local('cursor', 'Cursor', 'Add the server to ~/.cursor/mcp.json.', [
    file('browser', '~/.cursor/mcp.json', json({ mcpServers: { [NAME]: { url } } })),
    file('token', '~/.cursor/mcp.json', json({ mcpServers: { [NAME]: { url, headers } } })),
  ])

const vsCode = (url: string) =>
  local('vscode', 'VS Code', 'Add the server to .vscode/mcp.json, and start it from there.', [
    file('browser', '.vscode/mcp.json', json({ servers: { [NAME]: { type: 'http', url } } })),
    file('token', '.vscode/mcp.json', json({ servers: { [NAME]: { type: 'http', url, headers } } })),
  ])

const codex = (url: string) =>
  local('codex', 'Codex', `Add the server to ~/.codex/config.toml. Sign in with: codex mcp login ${NAME}`, [
    file('browser', '~/.codex/config.toml', `[mcp_servers.${NAME}]\nurl = "${url}"`),
    file(
      'token',
      '~/.codex/config.toml; set FLEETPRESS_TOKEN to the token',
      `[mcp_servers.${NAME}]\nurl = "${url}"\nbearer_token_env_var = "FLEETPRESS_TOKEN"`,
    ),
  ])

const gemini = (url: string) =>
  local('gemini', 'Gemini CLI', 'Add the server to ~/.gemini/settings.json.', [
    file('browser', '~/.gemini/settings.json', json({ mcpServers: { [NAME]: { httpUrl: url } } })),
    file('token', '~/.gemini/settings.json', json({ mcpServers: { [NAME]: { httpUrl: url, headers } } })),
  ])

const other = (url: string): SetupApp => ({
  id: 'other',
  name: 'Another app',
  signIn: ['browser', 'token'],
  steps: [
    `Enter the address ${url}. The transport is streamable HTTP.`,
    'Apps that support OAuth sign in by themselves. Give others the token as a bearer token.',
  ],
  snippets: [file('token', 'Header of every request', HEADER)],
})

const APPS = [claude, chatgpt, claudeCode, cursor, vsCode, codex, gemini, other]

/** Names of this machine, and addresses, which have no certificate. */
const LOCAL_NAME = /^(?:(?:.*\.)?localhost|[\d.]+|\[.*)$/

/** How to connect each app to this panel, under the address it really has. */
export const setupFor = (publicUrl: string): { url: string; isPublic: boolean; apps: SetupApp[] } => {
  const { protocol, hostname } = new URL(publicUrl)
  const url = mcpUrl(publicUrl)
  return {
    url,
    isPublic: protocol === 'https:' && !LOCAL_NAME.test(hostname),
    apps: APPS.map(app => app(url)),
  }
}

/** Where AI apps reach this panel; also what their tokens are for. */
export const mcpUrl = (publicUrl: string): string => `${publicUrl.replace(/\/$/, '')}/mcp`
