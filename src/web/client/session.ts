import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Admin } from '#features/admins/contract.ts'
import { login } from '#features/login/contract.ts'
import { type Access, type Level, reaches } from '#platform/contract/level.ts'
import { Problem } from '#platform/contract/problem.ts'
import { clientOf, holdCsrfToken } from './api.ts'

const api = clientOf(login)

export interface Session {
  admin: Admin
  access: Access
}

const readSession = async (): Promise<Session | null> => {
  try {
    const { admin, access, csrfToken } = await api.sessionGet()
    holdCsrfToken(csrfToken)
    return admin ? { admin, access } : null
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'unauthorized')) throw error
    holdCsrfToken(undefined)
    return null
  }
}

/** Asked again whenever the window is looked at: another tab may have signed out, or in as someone else. */
const sessionOptions = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
})

/** Who is signed in; null when no one is. */
export const useSession = () => useQuery(sessionOptions)

/** The session is over: what it could see goes with it. */
export const forgetSession = (queryClient: QueryClient): void => {
  holdCsrfToken(undefined)
  queryClient.setQueryData(sessionOptions.queryKey, null)
  queryClient.removeQueries({ predicate: query => query.queryKey[0] !== sessionOptions.queryKey[0] })
}

/** Ends the session; one that was over already is just as good. */
export const useSignOut = () => {
  const queryClient = useQueryClient()
  return async (): Promise<void> => {
    await api.logout().catch(error => {
      if (!(error instanceof Problem && error.code === 'unauthorized')) throw error
    })
    forgetSession(queryClient)
  }
}

/** Takes up the session that an answer has just opened. */
export const useEnterSession = () => {
  const queryClient = useQueryClient()
  return async (csrfToken: string): Promise<void> => {
    holdCsrfToken(csrfToken)
    await queryClient.cancelQueries(sessionOptions)
    const session = await queryClient.fetchQuery({ ...sessionOptions, staleTime: 0 })
    if (session) return
    throw new Problem(
      'unauthorized',
      'Your browser did not save the sign-in cookie. Open the panel over https or on localhost, and allow cookies.',
    )
  }
}

/** Puts a changed account in place of the one the session came with. */
export const useReplaceAccount = () => {
  const queryClient = useQueryClient()
  return (admin: Admin): void => {
    queryClient.setQueryData(sessionOptions.queryKey, session => session && { ...session, admin })
  }
}

/** Asks again who is signed in, after an act that may have ended or changed the session. */
export const useRecheckSession = () => {
  const queryClient = useQueryClient()
  return (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey, refetchType: 'all' })
}

/** Whether the person may do what needs a level: `may('manage')`. */
export const useMay = () => {
  const { data: session } = useSession()
  return (needed: Level): boolean => reaches(session?.access ?? 'none', needed)
}
