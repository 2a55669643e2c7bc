import { HostError } from '#platform/host/errors.ts'

/** A value that no configuration may hold. */
export class InvalidEdgeValue extends Error {
  readonly code = 'invalid_edge_value'
  readonly field: string

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`)
    this.field = field
  }
}

/** nginx itself refused the configuration; the one before it is still being served. */
export class EdgeRefused extends HostError {
  readonly code = 'edge_refused'
  readonly output: string

  constructor(output: string) {
    super(`nginx refused the new configuration: ${reasonIn(output)}`)
    this.output = output
  }
}

/** nginx accepted the configuration in the test but never served it; the one before it was put back. */
export class EdgeNotServing extends HostError {
  readonly code = 'edge_not_serving'

  constructor(id: string, cause?: unknown) {
    super(`nginx did not start to serve configuration ${id}: see its error log`, { cause })
  }
}

const reasonIn = (output: string): string => {
  const lines = output.trim().split('\n')
  return lines.find(line => line.includes('[emerg]')) ?? lines.at(-1) ?? ''
}
