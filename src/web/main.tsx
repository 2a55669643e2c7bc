import './no-generated-code.ts'
import './theme/mantine.css'
import './theme/colors.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { CrashBoundary } from './layouts/CrashBoundary.tsx'
import { queryClient } from './query-client.ts'
import { AppRoutes, fetchPagesAhead } from './routes.tsx'
import { rememberedTheme, theme } from './theme/theme.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

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
            <AppRoutes />
          </BrowserRouter>
        </CrashBoundary>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

window.addEventListener('load', () => setTimeout(fetchPagesAhead, 1_000))
