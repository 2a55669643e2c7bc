export { SiteLicenses } from './SiteLicenses.tsx'
