/**
 * What a job waits for. Jobs in one lane run one at a time in the order they were asked for; jobs in different lanes run
 * side by side. A job with several lanes starts when it is first in all of them.
 */
export type Lane = string & { readonly __lane: never }

const lane = (text: string) => text as Lane

/** One job at a time per server. A job that works on two servers has both lanes. */
export const serverLane = (serverId: number): Lane => lane(`server:${serverId}`)

/** Jobs that belong to no server run one at a time among themselves. */
export const sharedQueue: Lane = lane('queue')

/** One at a time within the name. */
export const namedLane = (name: string): Lane => lane(`name:${name}`)

/** One at a time within the name, on each server. */
export const namedLaneOnServer = (name: string, serverId: number): Lane => lane(`name:${name}:${serverId}`)
