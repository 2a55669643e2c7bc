import { createTheme } from '@mantine/core'

/** The colours themselves are in colors.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  respectReducedMotion: true,
})
