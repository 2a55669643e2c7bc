import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { show } from '../../src/cli/generated/show.ts'

void describe('answers for people', () => {
  const items = [
    { id: 'a', createdAt: 0, sizeBytes: 2048, tookMs: 1500, done: true, note: null, more: { deep: 1 } },
    { id: 'bb', createdAt: 1_700_000_000_000, sizeBytes: 1, tookMs: 0, done: false, note: null, more: { deep: 2 } },
  ]

  void test('a list is a table, with times, sizes and durations to read', () => {
    assert.deepEqual(show({ items }, { width: undefined }), [
      'ID  CREATED AT           SIZE     TOOK   DONE',
      'a   1970-01-01 00:00:00  2.0 KiB  1.5 s  yes',
      'bb  2023-11-14 22:13:20  1 B      0.0 s  no',
    ])
  })

  void test('a terminal gets the columns that fit and is told of the others', () => {
    const notes: string[] = []
    assert.deepEqual(show({ items }, { width: 30, notes }), [
      'ID  CREATED AT',
      'a   1970-01-01 00:00:00',
      'bb  2023-11-14 22:13:20',
    ])
    assert.deepEqual(notes, ['3 more columns with --wide, or name some with --columns.'])
  })

  void test('columns can be chosen by name, in any order, nested ones too', () => {
    assert.deepEqual(show({ items }, { width: 10, columns: ['done', 'id', 'more'] }), [
      'DONE  ID  MORE',
      'yes   a   {"deep":1}',
      'no    bb  {"deep":2}',
    ])
    assert.throws(() => show({ items }, { width: 10, columns: ['ids'] }), /There is no column ids\. Choose from: id, /)
  })

  void test('a list of sites fits 100 characters, whatever their names are', () => {
    const site = { slug: 's'.repeat(40), title: 't'.repeat(100), status: 'running', url: `http://${'u'.repeat(60)}` }
    for (const line of show({ items: [site] }, { width: 100 })) assert.ok(line.length <= 100, line)
  })

  void test('the rest is names and values', () => {
    assert.deepEqual(show({ items: [], total: 0 }, { width: undefined }), ['(nothing)', '', 'total  0'])
    assert.deepEqual(show({ job: { id: 'x', lanes: ['a', 'b'], error: null } }, { width: undefined }), [
      'id     x',
      'lanes  a, b',
      'error  -',
    ])
    assert.deepEqual(show({ token: 't', key: { id: 1 } }, { width: undefined }), ['token  t', 'key:', '  id  1'])
  })

  void test('a text by itself has no name in front, so that it can be used as it is', () => {
    assert.deepEqual(show({ publicKey: 'ssh-ed25519 AAAA fleetpress' }, { width: 10 }), ['ssh-ed25519 AAAA fleetpress'])
    assert.deepEqual(show({ total: 3 }, { width: 10 }), ['total  3'])
    assert.deepEqual(show({ made: { id: 'x' }, total: 3 }, { width: 10 }), ['made:', '  id  x', 'total  3'])
  })

  void test('a server cannot reach the terminal through it', () => {
    const text = show({ items: [{ 'na\u001b[2Jme': 'x\u001b]52;c;eA==\u0007y\nz' }] }, { width: undefined }).join('|')
    assert.equal(text, 'NAME|xy z')
  })
})
