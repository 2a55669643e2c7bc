import type { EventEmitter } from 'node:events'

/** Returns what ends the subscription. */
export const subscribe = (emitter: EventEmitter, listener: (topic: string) => void) => {
  emitter.on('topic', listener)
  return () => void emitter.off('topic', listener)
}
