import { Outlet } from 'react-router'
import { CardFrame } from './CardFrame.tsx'

/** For pages that need no one signed in. */
export const CardLayout = () => (
  <CardFrame>
    <Outlet />
  </CardFrame>
)
