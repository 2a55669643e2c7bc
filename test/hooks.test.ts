import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRepository } from './architecture/repository.ts'
import { hooksTable, listHooks, tableIn } from './generated/hooks-page.ts'

describe('hooks', () => {
  const files = readRepository()

  it('are all listed in docs/hooks.md, with who raises and who answers them', () => {
    const expected = hooksTable(files)
    assert.equal(tableIn(files.get('docs/hooks.md') ?? ''), expected, 'Run `./fleetpress dev hooks`.')
  })

  it('are raised by the feature that declares them', () => {
    const unraised = listHooks(files).filter(({ raisedBy }) => raisedBy === 'none yet')
    assert.deepEqual(unraised, [])
  })
})
