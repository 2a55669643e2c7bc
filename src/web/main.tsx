import './client/no-generated-code.ts'
import './kit/theme/mantine.css'
import './kit/theme/colors.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { CrashBoundary } from './app/layouts/CrashBoundary.tsx'
import { queryClient } from './app/query-client.ts'
import { AppRoutes, cannotBeFetched, fetchFirstPage, fetchPagesAhead } from './app/routes.tsx'
import { registry } from './app/screens.ts'
import { rememberedTheme } from './app/theme-choice.ts'
import { needsReload, onConnection } from './client/connection.ts'
import { RegistryContext } from './client/registry.ts'
import { theme } from './kit/theme/theme.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

fetchFirstPage(window.location.pathname)

// Mantine would write its variables and classes as inline styles, which the page's policy refuses: they are files here.
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={rememberedTheme}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <CrashBoundary>
          <BrowserRouter>
            <RegistryContext value={registry}>
              <AppRoutes />
            </RegistryContext>
          </BrowserRouter>
        </CrashBoundary>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

onConnection(() => {
  if (needsReload()) window.location.reload()
})
window.addEventListener('load', () => setTimeout(() => fetchPagesAhead().catch(cannotBeFetched), 1_000))
