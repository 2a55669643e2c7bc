import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { blankRepositoryArgv } from './blank-repository.ts'

describe('a blank repository', () => {
  it('has a key with its own hash as its name, and a configuration; one that is there is left alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetpress-blank-'))
    const [program, ...words] = blankRepositoryArgv(join(folder, 'new'))
    const read = (name: string) => readFileSync(join(folder, 'new', name))
    try {
      execFileSync(program, words)
      assert.deepEqual(readdirSync(join(folder, 'new')).toSorted(), ['config', 'keys'])
      const [name = ''] = readdirSync(join(folder, 'new', 'keys'))
      assert.equal(
        createHash('sha256')
          .update(read(`keys/${name}`))
          .digest('hex'),
        name,
      )
      assert.equal(read('config').length, 155)
      writeFileSync(join(folder, 'new', 'config'), 'another')
      execFileSync(program, words)
      assert.equal(String(read('config')), 'another')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
