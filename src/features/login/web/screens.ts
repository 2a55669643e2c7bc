import type { WebFeature } from '#web/client/registration.ts'

export const loginScreens: WebFeature = {
  screens: [
    { path: '/login', for: 'guests', load: async () => (await import('./LoginPage.tsx')).LoginPage },
    {
      path: '/forgot-password',
      for: 'guests',
      load: async () => (await import('./ForgotPasswordPage.tsx')).ForgotPasswordPage,
    },
    {
      path: '/reset-password',
      for: 'anyone',
      load: async () => (await import('./ResetPasswordPage.tsx')).ResetPasswordPage,
    },
    {
      path: '/invitation',
      for: 'anyone',
      load: async () => (await import('./ResetPasswordPage.tsx')).InvitationPage,
    },
    {
      path: '/confirm-email',
      for: 'anyone',
      load: async () => (await import('./ConfirmEmailPage.tsx')).ConfirmEmailPage,
    },
  ],
}
