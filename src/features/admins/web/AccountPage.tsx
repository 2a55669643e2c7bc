import { settingsTabs } from '#features/panel/web/settings-tabs.ts'
import { useSession } from '#web/session.ts'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import classes from './AccountPage.module.css'
import { ProfileForm } from './ProfileForm.tsx'
import { Sessions } from './Sessions.tsx'
import { SignIn } from './SignIn.tsx'

/** What people do with their own account. */
export const AccountPage = () => {
  const { data: session } = useSession()
  if (!session) return null
  return (
    <Page title="Your account" about={`You are signed in as ${session.admin.email}.`} tabs={settingsTabs}>
      <div className={classes.column}>
        <Section title="About you">
          <ProfileForm key={`${session.admin.name} ${session.admin.preferences.timeZone}`} admin={session.admin} />
        </Section>
        <Section title="Signing in">
          <SignIn admin={session.admin} />
        </Section>
        <Sessions />
      </div>
    </Page>
  )
}
