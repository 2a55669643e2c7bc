export { SignInButton, SignInIcon } from './SignInButton.tsx'
export { VulnerabilityNote } from './VulnerabilityNote.tsx'
