import { KnownError } from '#platform/contract/known-error.ts'
import { HostError } from '#platform/host/errors.ts'

/** A value that no configuration may hold. */
export class InvalidEdgeValue extends KnownError {
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

  constructor(output: string) {
    super('nginx refused the new configuration', { output })
  }
}

/** nginx accepted the configuration in the test but never served it; the one before it was restored. */
export class EdgeNotServing extends HostError {
  readonly code = 'edge_not_serving'

  constructor(id: string, cause?: unknown) {
    super(`nginx did not start to serve configuration ${id}: see its error log`, { cause })
  }

  override get isPassing(): boolean {
    return true
  }
}
