import { Secret } from '#platform/host/secret.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import type { SiteRow } from './site-store.ts'
import { wp } from './wp.ts'

type Work = Pick<StepContext, 'hosts' | 'signal'>

/** WordPress would ask its own address during the installation, which nothing answers yet, and wait for it. */
const OFFLINE = `--exec=WP_CLI::add_wp_hook('pre_http_request', function () { return new WP_Error('offline'); });`
const NOT_INSTALLED = 1

interface Owner {
  readonly url: string
  readonly password: Secret
}

/** Installs WordPress, or gives an installed one this password: the step may have been cut off after it. */
export const installWordpress = async (work: Work, site: SiteRow, { url, password }: Owner): Promise<void> => {
  const known = await wp(work, site, ['core', 'is-installed'], { allowExitCodes: [NOT_INSTALLED] })
  const stdin = new Secret(`${password.reveal()}\n`)
  if (known.exitCode === 0) {
    await wp(work, site, ['user', 'update', site.admin_user, '--prompt=user_pass', '--skip-email'], { stdin })
  } else {
    const account = [`--admin_user=${site.admin_user}`, `--admin_email=${site.admin_email}`, '--prompt=admin_password']
    const words = [`--url=${url}`, `--title=${site.title}`, ...account, '--skip-email', OFFLINE]
    await wp(work, site, ['core', 'install', ...words], { stdin })
  }
  await wp(work, site, ['rewrite', 'structure', '/%postname%/', OFFLINE])
}

export const readWordpressVersion = async (work: Work, site: SiteRow): Promise<string> =>
  (await wp(work, site, ['core', 'version'])).stdout.trim().slice(0, 40)
