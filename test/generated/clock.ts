/** A clock for a panel under test: stands where it is put, so limits can be met exactly or kept out of the way. */
export interface Clock {
  now(): number
  pass(ms: number): void
}

export const MINUTE_MS = 60_000

export const clockFrom = (start: number = Date.now()): Clock => {
  let time = start
  return {
    now: () => time,
    pass: ms => {
      time += ms
    },
  }
}

/** A clock on which ten seconds go by at every look, so that no limit is ever met. */
export const hurriedClock = (start: number = Date.now()): (() => number) => {
  let time = start
  return () => {
    time += 10_000
    return time
  }
}
