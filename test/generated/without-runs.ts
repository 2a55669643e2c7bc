import type { Feature } from '#platform/feature.ts'

/** Stops what a feature does by itself from time to time. What records requests stays: it only follows from being asked. */
export const withoutRuns = (feature: Feature): Feature => {
  const { begin } = feature
  if (!begin) return feature
  return {
    ...feature,
    begin: async scope => {
      const part = await begin(scope)
      if (!part.record) await part.stop()
      return part
    },
  }
}
