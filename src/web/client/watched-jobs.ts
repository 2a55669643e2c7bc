/** Jobs that were started in this tab: their end is told with a toast. */
const watched = new Set<string>()

export const watchJob = (id: string): void => {
  watched.add(id)
}

export const unwatchJob = (id: string): boolean => watched.delete(id)

export const watchedJobs = (): string[] => [...watched]
