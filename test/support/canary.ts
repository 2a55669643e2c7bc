import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { Vps } from '#test/fleet/vps.ts'

const NOT_THERE = ['/proc', '/sys', '/var/lib/docker'].flatMap(path => ['-path', path, '-prune', '-o'])

/** Nothing that a payload would have run has left its mark, on the server and its sites or here. */
export const assertNoCanary = async (server: Vps): Promise<void> => {
  const { exitCode, stdout } = await server.exec(['find', '/', ...NOT_THERE, '-name', 'CANARY', '-print'])
  assert.deepEqual([exitCode, stdout, existsSync('CANARY')], [0, '', false])
}
