import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const TWIN: Readonly<Record<string, string>> = { x64: 'arm64', arm64: 'x64' }

interface Locked {
  version?: string
}

const locked = (): Map<string, Locked> => {
  const text = readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')
  return new Map(Object.entries((JSON.parse(text) as { packages: Record<string, Locked> }).packages))
}

/** `@rolldown/binding-linux-x64-gnu` is `@rolldown/binding-linux-arm64-gnu` on the other kind of processor. */
const twinOf = (path: string): string =>
  path.replace(/-?linux-(x64|arm64)(?=-gnu$|-musl$|$)/, text => text.replace(/x64|arm64/, cpu => TWIN[cpu] ?? cpu))

it('locks every native package for both kinds of processor, at the same version', () => {
  const packages = locked()
  const native = [...packages].filter(([path]) => twinOf(path) !== path)
  assert.ok(native.length > 0)
  const alone = native.filter(([path, { version }]) => packages.get(twinOf(path))?.version !== version)
  assert.deepEqual(
    alone.map(([path]) => path),
    [],
  )
})
