import type { FastifyInstance } from 'fastify'
import { HttpProblem } from './http-problem.ts'

const segmentsOf = (path: string): string[] => path.split('/')

const leadsTo = (route: readonly string[], path: readonly string[]): boolean =>
  route.length === path.length &&
  route.every((segment, at) => (segment.startsWith(':') ? path[at] !== '' : segment === path[at]))

/** The methods of each path, as the routes are added. */
export class Methods {
  readonly #routes: { segments: string[]; methods: string[] }[] = []

  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method }) => {
      this.#routes.push({ segments: segmentsOf(url), methods: [method].flat() })
    })
  }

  /** Refuses a method that a path does not have, if it has any. */
  refuseOthers(method: string, url: string): void {
    const path = segmentsOf(decodeURI(url.split('?', 1)[0] ?? ''))
    const found = this.#routes.filter(({ segments }) => leadsTo(segments, path)).flatMap(({ methods }) => methods)
    if (found.length === 0) return
    const allowed = [...new Set(found)].toSorted()
    throw new HttpProblem(
      405,
      'not_found',
      `There is no ${method} at this address. Use ${allowed.join(', ')}.`,
      { allowed },
      { allow: allowed.join(', ') },
    )
  }
}
