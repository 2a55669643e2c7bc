import { useRegistry } from '#web/client/registry.ts'
import { useSession } from '#web/client/session.ts'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import classes from './AccountPage.module.css'
import { ProfileForm } from './ProfileForm.tsx'
import { Sessions } from './Sessions.tsx'
import { SignIn } from './SignIn.tsx'

/** What people do with their own account. */
export const AccountPage = () => {
  const { data: session } = useSession()
  const { settingsTabs } = useRegistry()
  if (!session) return null
  return (
    <Page title="Your account" about={`You are signed in as ${session.admin.email}.`} tabs={settingsTabs}>
      <div className={classes.column}>
        <Section title="Profile">
          <ProfileForm key={`${session.admin.name} ${session.admin.preferences.timeZone}`} admin={session.admin} />
        </Section>
        <Section title="Sign-in">
          <SignIn admin={session.admin} />
        </Section>
        <Sessions />
      </div>
    </Page>
  )
}
