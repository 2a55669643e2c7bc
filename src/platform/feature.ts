import type { FastifyInstance } from 'fastify'
import type { Credentials, Identity } from '#platform/access/authenticator.ts'
import type { Contract } from '#platform/contract/endpoint.ts'
import type { HookAnswers } from '#platform/events/events.ts'
import type { Hosts } from '#platform/host/hosts.ts'
import type { Door } from '#platform/http/door.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { Answered } from '#platform/http/recording.ts'
import type { AnyJobType } from '#platform/jobs/job-type.ts'
import type { Scope } from '#platform/scope.ts'
import type { SettingsSection } from '#platform/settings/section.ts'

/** What a feature keeps going while the panel runs. */
export interface Background {
  stop(): Promise<void>
  /** Told of every answered request; what it returns is waited for before the answer leaves. */
  record?(answered: Answered): Promise<void> | undefined
}

/** The manifest of a feature: everything the composition root needs to know of it. */
export interface Feature<C extends Contract = Contract> {
  name: string
  /** The group of the API this feature is, as the spec names it; absent for what is next to the API. */
  group?: string
  /** The features it may reach through their `index.ts` or `contract.ts`. */
  uses: readonly string[]
  contract: C
  routes: Handlers<C>
  jobs?: readonly AnyJobType[]
  hooks?: HookAnswers
  settings?: readonly SettingsSection[]
  /** A way of telling who a caller is. */
  authenticate?: (credentials: Credentials, scope: Scope) => Promise<Identity | undefined>
  /** The way to the machines the panel looks after; exactly one feature has it. */
  hosts?: (scope: Pick<Scope, 'db' | 'secrets' | 'now'>) => Hosts
  /** Adds what it serves next to its endpoints, such as another protocol; its calls go through the door. */
  serve?: (server: FastifyInstance, door: Door, scope: Scope) => void
  /** Awaited before the panel answers anything. */
  begin?: (scope: Scope) => Background | Promise<Background>
}

export const defineFeature = <const C extends Contract>(feature: Feature<C>): Feature<C> => feature
