import { Navigate, useLocation } from 'react-router'

const MOVED: Readonly<Record<string, string>> = {
  '/blocks/never': '/security/never-blocked',
  '/blocks/firewall': '/security/firewall',
  '/blocks/detection': '/security/detection',
}

/** The addresses that these pages had before they came under Security: links to them keep working. */
export const MovedPage = () => {
  const { pathname, search } = useLocation()
  return <Navigate to={`${MOVED[pathname.replace(/\/$/, '')] ?? '/security/blocks'}${search}`} replace />
}
