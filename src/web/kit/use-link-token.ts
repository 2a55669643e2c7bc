import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The token of a link, out of the part of the address that is never sent; it leaves the address bar at once. */
export const useLinkToken = (): string => {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const found = new URLSearchParams(hash.slice(1)).get('token')
  const [token, setToken] = useState(found)
  // A second link pasted over the first changes only the fragment, so the page stays.
  if (found !== null && found !== token) setToken(found)
  useEffect(() => {
    if (found !== null) void navigate({ pathname, search }, { replace: true })
  }, [found, navigate, pathname, search])
  return token ?? ''
}
