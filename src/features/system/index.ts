export { checkFeed } from './feed/check-feed.ts'
export { compareReleases, Feed, type FeedRelease } from './feed/feed.ts'
export { TRUSTED_KEYS } from './feed/read-feed.ts'
export { isSignedBy, newReleaseKey, signFeed } from './feed/signature.ts'
export { CURRENT, diskOf, installKind, linkOf, RELEASES, whyNotUpdated } from './install.ts'
export {
  findInterrupted,
  findReplacing,
  hasBegun,
  hasChanged,
  isDone,
  removeUnfinished,
  updateLock,
} from './interrupted.ts'
export { launchSettling } from './launch.ts'
export { updateSettings } from './settings.ts'
export {
  findUpdate,
  saveUpdate,
  UPDATE_STEPS,
  type UpdateState,
  type UpdateStep,
  updateFolder,
} from './update-state.ts'
