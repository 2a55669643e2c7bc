import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { run } from '#test/fleet/run.ts'
import { connectionTo } from '#test/support/mcp.ts'
import { newConfig, type TestPanel, testPanel } from '#test/support/panel.ts'
import { freePort } from '#test/support/ports.ts'

/** Too large to be a package of the repository for one test; fetched when the soak runs. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'

/** What developers of AI apps look at servers with. */
describe('the MCP inspector', { timeout: 20 * 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-inspector-'))
  let panel: TestPanel
  let token: string
  let address: string
  before(async () => {
    const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', INSPECTOR]
    execFileSync('npm', words, { stdio: 'ignore' })
    const port = await freePort()
    panel = await testPanel({ config: await newConfig('sqlite', { FLEETPRESS_PORT: String(port) }) })
    await panel.server.listen({ port, host: '127.0.0.1' })
    address = `http://localhost:${(panel.server.server.address() as AddressInfo).port}/mcp`
    token = (await connectionTo(panel, { access: 'read-only' })).token
  })
  after(async () => {
    await panel?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const inspect = async (method: string, ...words: string[]): Promise<Record<string, unknown>> => {
    const program = join(folder, 'node_modules/.bin/mcp-inspector')
    const header = ['--header', `Authorization: Bearer ${token}`]
    const said = await run(process.execPath, [program, '--cli', address, ...header, '--method', method, ...words])
    return JSON.parse(said) as Record<string, unknown>
  }

  it('lists tools, prompts and resources, and calls a tool', async () => {
    assert.equal(((await inspect('tools/list')).tools as unknown[]).length, 9)
    assert.ok(((await inspect('prompts/list')).prompts as unknown[]).length >= 4)
    assert.ok(((await inspect('resources/list')).resources as unknown[]).length >= 2)
    const found = await inspect('tools/call', '--tool-name', 'find_endpoints', '--tool-arg', 'words=create a site')
    assert.match(JSON.stringify(found), /siteCreate/)
  })
})
