import type { Db } from '#platform/db/database.ts'
import type { MailDomain } from './contract.ts'

export type Verdicts = Record<'spf' | 'dkim' | 'dmarc', MailDomain['spf']['verdict']>

export const keepCheck = async (db: Db, { domain, spf, dkim, dmarc, checkedAt }: MailDomain): Promise<void> => {
  const verdicts = JSON.stringify({ spf: spf.verdict, dkim: dkim.verdict, dmarc: dmarc.verdict } satisfies Verdicts)
  await db
    .insertInto('mail_domain_check')
    .values({ domain, verdicts, checked_at: checkedAt })
    .onConflict(conflict => conflict.column('domain').doUpdateSet({ verdicts, checked_at: checkedAt }))
    .execute()
}

export const listChecks = async (db: Db): Promise<Map<string, Verdicts>> => {
  const rows = await db.selectFrom('mail_domain_check').selectAll().execute()
  return new Map(rows.map(({ domain, verdicts }) => [domain, JSON.parse(verdicts) as Verdicts]))
}

/** Of domains that no one sends from any more. */
export const deleteChecksBut = async (db: Db, domains: readonly string[]): Promise<void> => {
  const known = await db.selectFrom('mail_domain_check').select('domain').execute()
  for (const { domain } of known)
    if (!domains.includes(domain)) await db.deleteFrom('mail_domain_check').where('domain', '=', domain).execute()
}
