import type { Line, Text } from '@codemirror/state'

/** A line by its number, or the nearest there is: PHP may name one after the last. */
export const nearestLine = (text: Text, number: number): Line => text.line(Math.min(Math.max(number, 1), text.lines))
