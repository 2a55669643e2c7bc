import { ACCESS } from '#platform/contract/level.ts'
import { mcpUrl } from '../setup/apps.ts'

/** What apps that know only the address of /mcp find out first: who gives tokens for it (RFC 9728). */
export const resourceMetadata = (publicUrl: string) => ({
  resource: mcpUrl(publicUrl),
  authorization_servers: [publicUrl],
  bearer_methods_supported: ['header'],
  scopes_supported: ACCESS,
  resource_name: 'Fleetpress',
})

/** How to get a token here (RFC 8414). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/oauth/authorize`,
  token_endpoint: `${publicUrl}/oauth/token`,
  registration_endpoint: `${publicUrl}/oauth/register`,
  revocation_endpoint: `${publicUrl}/oauth/revoke`,
  scopes_supported: ACCESS,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})
