import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Command } from 'commander'
import { z } from 'zod'
import { api, groups } from '#app/contract.ts'
import type { Contract, Endpoint } from '#platform/contract/endpoint.ts'
import { fieldsOf, isSecret } from '../../src/cli/generated/fields.ts'
import { nameEndpoints } from '../../src/cli/generated/names.ts'
import { parseValue } from '../../src/cli/generated/values.ts'
import { programWithEndpoints } from '../../src/cli/program.ts'

const program = await programWithEndpoints(() => true)
const machine = 'up down status logs run update release key admin snapshot restore test bench dev completion'.split(' ')
const named = nameEndpoints(groups, machine)

const commandAt = (noun: string, verb: string): Command | undefined =>
  program.commands.find(one => one.name() === noun)?.commands.find(one => one.name() === verb)

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)

void describe('commands of the contracts', () => {
  void test('every endpoint is reached by exactly one command', () => {
    const callable = Object.entries<Endpoint>(api).filter(([, endpoint]) => !endpoint.socket)
    assert.deepEqual(named.map(({ id }) => id).toSorted(), callable.map(([id]) => id).toSorted())
    assert.equal(new Set(named.map(({ noun, verb }) => `${noun} ${verb}`)).size, named.length)
    for (const { id, noun, verb } of named) assert.ok(commandAt(noun, verb), `${id} has no command ${noun} ${verb}`)
    const generated = program.commands.filter(one => !machine.includes(one.name())).flatMap(leaves)
    assert.equal(generated.length, named.length)
  })

  void test('no noun hides a command of the machine', () => {
    const names = program.commands.map(one => one.name())
    assert.deepEqual(names, [...new Set(names)])
    for (const name of machine) assert.ok(names.includes(name))
  })

  void test('names follow the rule', () => {
    const name = (id: string) => named.filter(one => one.id === id).map(({ noun, verb }) => `${noun} ${verb}`)[0]
    assert.equal(name('jobList'), 'jobs list')
    assert.equal(name('jobTypeList'), 'jobs type-list')
    assert.equal(name('keyCreate'), 'keys create')
    assert.equal(name('settingsTestEmail'), 'settings test-email')
    assert.equal(name('health'), 'panel health')
    assert.equal(name('forgotPassword'), 'login forgot-password')
  })

  void test('a noun that is taken and a name that is given twice both find another', () => {
    const one = { method: 'GET', level: 'none', summary: '', reply: z.unknown() } as const
    const made = (name: string, contract: Contract) => ({ name, contract })
    const names = nameEndpoints(
      [
        made('tests', { runList: { ...one, path: '/api/run' }, siteGet: { ...one, path: '/api/sites/:a' } }),
        made('others', { site_get: { ...one, path: '/api/sites/:b' } }),
      ],
      ['run'],
    )
    assert.deepEqual(
      names.map(({ noun, verb }) => `${noun} ${verb}`),
      ['api-run list', 'sites get', 'others site-get'],
    )
  })

  void test('every argument and option of every command is described', () => {
    const bare = leaves(program).flatMap(command => {
      const path = [command.parent?.name(), command.name()].filter(Boolean).join(' ')
      const options = command.options.map(({ long, description }) => [long, description] as const)
      const words = command.registeredArguments.map(word => [word.name(), word.description] as const)
      // A default says what happens without it, not what it is.
      const isBare = (text: string) => text.replace(/\(default: .*\)$/, '').trim() === ''
      return [...options, ...words].filter(([, text]) => isBare(text)).map(([name]) => `${path} ${name}`)
    })
    assert.deepEqual(bare, [], 'describe them with .describe() in their contract')
  })

  void test('every field has one place on the command line, and no secret has one', () => {
    for (const { id, endpoint, noun, verb } of named) {
      const command = commandAt(noun, verb)
      const flags = command?.options.map(option => option.long) ?? []
      assert.equal(new Set(flags).size, flags.length, `${id} has an option twice`)
      for (const field of fieldsOf(endpoint)) {
        if (field.place === 'params') continue
        const isOffered = flags.includes(`--${field.flag}`)
        assert.equal(isOffered, !field.secret, `${id}: --${field.flag}`)
      }
      for (const option of command?.options ?? []) {
        const takesWord = option.required || option.optional
        assert.ok(!(takesWord && isSecret(option.attributeName())), `${id} takes ${option.long} as a word`)
      }
    }
  })

  void test('path parameters are words in the order of the path', () => {
    const shape = { method: 'GET', level: 'none', summary: '', reply: z.unknown() } as const
    const params = z.object({ second: z.string(), first: z.string() })
    const fields = fieldsOf({ ...shape, path: '/api/:first/x/:second', params })
    assert.deepEqual(
      fields.map(field => field.name),
      ['first', 'second'],
    )
  })
})

const body = z.strictObject({
  count: z.number().int(),
  on: z.boolean().optional(),
  kind: z.enum(['a', 'b']).default('a'),
  names: z.array(z.string()).optional(),
  kinds: z.array(z.enum(['x', 'y'])).optional(),
  note: z.string().nullable(),
  source: z.union([z.object({ kind: z.literal('one') }), z.object({ kind: z.literal('two') })]),
  url: z.string().optional(),
  noIndex: z.boolean().optional(),
  smtpPassword: z.string().optional(),
})

void describe('fields of a body', () => {
  const fields = new Map(
    fieldsOf({ method: 'POST', path: '/x', level: 'none', summary: '', reply: z.unknown(), body }).map(one => [
      one.name,
      one,
    ]),
  )
  const parse = (name: string, ...texts: string[]): unknown => {
    const field = fields.get(name)
    assert.ok(field)
    return texts.reduce<unknown>((before, text) => parseValue(field, text, before), undefined)
  }

  void test('are typed from their schemas', () => {
    assert.equal(parse('count', '12'), 12)
    assert.throws(() => parse('count', 'twelve'), /must be a number/)
    assert.equal(parse('kind', 'b'), 'b')
    assert.throws(() => parse('kind', 'c'), /one of: a, b/)
    assert.deepEqual(parse('names', 'a,b', 'c'), ['a,b', 'c'])
    assert.deepEqual(parse('names', '["d","e"]'), ['d', 'e'])
    assert.deepEqual(parse('kinds', 'x,y'), ['x', 'y'])
    assert.equal(parse('note', 'null'), null)
    assert.equal(parse('note', 'text'), 'text')
    assert.deepEqual(parse('source', '{"kind":"two"}'), { kind: 'two' })
    assert.throws(() => parse('source', '{'), /must be JSON/)
  })

  void test('keep out of the way of the options every command has', () => {
    assert.equal(fields.get('url')?.flag, 'field-url')
    assert.equal(fields.get('noIndex')?.flag, 'field-no-index')
    assert.equal(fields.get('smtpPassword')?.secret, true)
  })

  void test('are needed only where the schema says so', () => {
    const needed = [...fields.values()].filter(field => field.required).map(field => field.name)
    assert.deepEqual(needed, ['count', 'note', 'source'])
  })
})
