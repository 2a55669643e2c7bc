import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dueNight } from './nightly.ts'

const at = (zone: string, time: string): string | undefined => {
  const before = process.env.TZ
  process.env.TZ = zone
  try {
    return dueNight(new Date(time))
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
}

describe("the night's work", () => {
  it('is due from three in the morning on', () => {
    assert.equal(at('UTC', '2026-03-04T02:59:59'), undefined)
    assert.equal(at('UTC', '2026-03-04T03:00:00'), '2026-03-04')
    assert.equal(at('UTC', '2026-03-04T23:59:59'), '2026-03-04')
    assert.equal(at('UTC', '2026-03-05T00:00:00'), undefined)
  })

  it('is due once a day wherever the machine stands', () => {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Karachi', 'Pacific/Auckland', 'Pacific/Pago_Pago']) {
      for (const hour of ['03', '09', '15', '19', '23'])
        assert.equal(at(zone, `2026-03-04T${hour}:30:00`), '2026-03-04', `${zone} at ${hour}:30`)
      assert.equal(at(zone, '2026-03-04T01:00:00'), undefined, zone)
    }
  })
})
