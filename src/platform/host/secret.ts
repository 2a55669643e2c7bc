import { inspect } from 'node:util'

const SHOWN = '[secret]'

/** A value that may be sent to a program but never printed: only `reveal` gives it out, so its uses can be searched. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toJSON(): string {
    return SHOWN
  }

  toString(): string {
    return SHOWN
  }

  [inspect.custom](): string {
    return SHOWN
  }
}
