import { createContext, use } from 'react'

/** The zone all times are shown in; the browser's own where no one chose one. */
export const TimeZone = createContext<string | undefined>(undefined)

export const useTimeZone = (): string | undefined => use(TimeZone)
