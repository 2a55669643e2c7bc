export { containerBeside, SITE_PORT } from './container.ts'
export { measureSite } from './disk/disk-files.ts'
export { rewriteUrls } from './domains/rewrite-urls.ts'
export { type AskOptions, ask, askForBytes, askWithFile, framesOf } from './folder/ask.ts'
export { dropNext, isSwapping, linkNext, makeNext, nextView, swapBack, swapNext } from './folder/next-folder.ts'
export { runIn, runningFolder, type SiteFolder, withFolder, withScratch } from './folder/open-folder.ts'
export { aroundView, filesView, notesView, siteView, socketView } from './folder/site-view.ts'
export type { NewSiteChoices, NewSiteOptions, SiteContainerPart, SiteEdgePart } from './hooks.ts'
export { bringBack, endBringBack, takeBack, undoBringBack } from './life/bring-back.ts'
export { type Missing, noteAllMissing, noteMissing, requireWhole } from './life/missing.ts'
export { reconcileSite } from './life/start-reconcile.ts'
export { missingContainer } from './missing-container.ts'
export { listMoving, listPresent } from './move/copy-store.ts'
export { pump } from './move/pump.ts'
export { siteName, siteNetwork } from './network.ts'
export { protectionFolder, SITES_FOLDER } from './paths.ts'
export { leaveMissing, pauseSite, resumeSite } from './pause-site.ts'
export { bringImageFor as siteImageFor } from './run-site.ts'
export { addressOf, serveSites } from './serve-site.ts'
export {
  beginDatabase,
  DATABASE_PREFIX,
  databaseLogin,
  databaseNameOf,
  dropSiteDatabase,
  finishDatabase,
  isSiteComment,
  recreateDatabase,
} from './site-database.ts'
export { listSiteFolders, removeSiteFolder } from './site-folder.ts'
export { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from './site-job.ts'
export { findSite, getSite, listHostnames, listSites, type SiteRow } from './site-store.ts'
export { siteToChange } from './site-to-change.ts'
export { ownConfig, restoredConfig } from './wordpress/own-config.ts'
export { wordpressOrgOf, wordpressOrgSettings } from './wordpress/wordpress-org.ts'
