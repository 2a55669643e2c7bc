import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { defineJob, type Step } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'
import { exerciseJob, variantsOf } from '#test/support/job-kit.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'

interface State {
  before: string
}
type TestStep = Step<Record<string, never>, State>

/** What the jobs here change. */
const world = { light: 'off', door: 'shut' }

const openDoor: TestStep = {
  id: 'open-door',
  label: 'Opening the door',
  run: async () => void (world.door = 'open'),
  undo: async () => void (world.door = 'shut'),
}

const switchOn: TestStep = {
  id: 'switch-on',
  label: 'Switching the light on',
  async run({ state, save }) {
    state.before ??= world.light
    await save()
    world.light = 'on'
  },
  undo: async ({ state }) => void (world.light = state.before ?? world.light),
}

const job = (name: string, ...steps: TestStep[]) =>
  defineJob<Record<string, never>, State, Record<string, never>>({
    type: `test.${name}`,
    label: name,
    description: 'For the kit itself.',
    category: 'test',
    timeoutMs: 60_000,
    input: z.strictObject({}),
    result: z.strictObject({}),
    target: () => ({}),
    lanes: () => [namedLane('kit')],
    steps,
    finish: () => ({}),
  })

/** The kit runs a step once, then twice, before it plants a fault. */
const fromFourthCall = (act: () => void): (() => void) => {
  let calls = 0
  return () => {
    calls += 1
    if (calls > 3) act()
  }
}

const fail = (text: string) => (): never => {
  throw new Error(text)
}

const failsByItself = fromFourthCall(fail('the bulb is broken'))
const failsEarly = fromFourthCall(fail('the key is lost'))
let undoTries = 0

const SOUND = [job('sound', openDoor, switchOn), job('final', openDoor, { ...switchOn, final: true })]

const FAULTY = {
  'an undo that fails': [
    job('stuck', { ...openDoor, undo: async () => fail('the door is stuck')() }),
    /failed by itself[^]*Couldn't roll back/,
  ],
  'an undo that fails once and then works': [
    job('sticky', {
      ...openDoor,
      async undo() {
        undoTries += 1
        if (undoTries === 1) throw new Error('the door is sticky')
        world.door = 'shut'
      },
    }),
    /had trouble to undo[^]*the door is sticky/,
  ],
  'an undo that leaves something': [
    job('forgets', { ...openDoor, undo: async () => {} }),
    /leaves the world as before/,
  ],
  'a step that fails for a reason of its own': [
    job('broken', {
      ...switchOn,
      async run(context) {
        failsByItself()
        await switchOn.run(context)
      },
    }),
    /failed by itself[^]*the bulb is broken/,
  ],
  'a step that fails before the planted fault is reached': [
    job('early', { ...openDoor, run: async () => failsEarly() }, switchOn),
    /failed by itself[^]*the key is lost/,
  ],
  'a step that cannot be repeated': [
    job('once', {
      ...openDoor,
      async run() {
        if (world.door === 'open') throw new Error('the door is open already')
        world.door = 'open'
      },
    }),
    /test\.once~twice: [^]*the door is open already/,
  ],
  'a step that loses in a crash what its undo needs': [
    job('forgetful', {
      ...switchOn,
      async run({ state }) {
        state.before ??= world.light
        world.light = 'on'
      },
    }),
    /leaves the world as before/,
  ],
} satisfies Record<string, [ReturnType<typeof job>, RegExp]>

describe('exerciseJob', { timeout: 300_000 }, () => {
  let panel: TestPanel
  before(async () => {
    const types = [...SOUND, ...Object.values(FAULTY).map(([type]) => type)]
    panel = await testPanel({ extraJobs: types.flatMap(type => [type, ...variantsOf(type)]) })
    await panel.engine.start()
  })
  after(() => panel.stop())

  const exercise = (type: ReturnType<typeof job>) =>
    exerciseJob('sqlite', type, {
      panel,
      prepare: async () => {
        Object.assign(world, { light: 'off', door: 'shut' })
        return {}
      },
      look: async () => ({ ...world }),
    })

  for (const type of SOUND) it(`passes a job type that is right: ${type.type}`, () => exercise(type))

  for (const [title, [type, found]] of Object.entries(FAULTY))
    it(`catches ${title}`, () =>
      assert.rejects(exercise(type), error => {
        assert.ok(error instanceof Error)
        assert.match(`${error.message}\n${JSON.stringify(error)}`, found)
        return true
      }))
})
