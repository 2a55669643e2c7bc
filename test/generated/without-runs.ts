import type { Feature } from '#platform/feature.ts'

/** Where days go by on the clock of a panel, schedules would start jobs of their own. */
export const withoutRuns = (feature: Feature): Feature => {
  const { begin } = feature
  if (feature.name !== 'schedules' || !begin) return feature
  return {
    ...feature,
    begin: async scope => {
      const part = await begin(scope)
      await part?.stop()
      return part
    },
  }
}
