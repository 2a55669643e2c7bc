/** All at once, until the last has ended: what still ran after another has failed would continue behind the back of the job. */
export const sideBySide = async <T extends readonly Promise<unknown>[]>(
  ...acts: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(acts)
  return Promise.all(acts)
}
