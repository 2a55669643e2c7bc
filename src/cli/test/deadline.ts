/** Loaded before each test file: Node reports a test that takes too long, and then waits for its process forever. */
const limitMs = Number(process.env.FLEETPRESS_TEST_LIMIT_MS)

const end = (): void => {
  const held = [...new Set(process.getActiveResourcesInfo())].join(', ')
  process.stderr.write(`Ended after ${Math.round(limitMs / 1000)} s. Still waiting for: ${held}.\n`)
  process.exit(1)
}

setTimeout(end, limitMs).unref()
