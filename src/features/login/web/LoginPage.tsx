import { useState } from 'react'
import { CodeStep } from './CodeStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'

/** Signs a person in: their password, then the code of their second factor if they have one. */
export const LoginPage = () => {
  const [challenge, setChallenge] = useState<string>()
  return challenge === undefined ? (
    <PasswordStep onChallenge={setChallenge} />
  ) : (
    <CodeStep challenge={challenge} onBack={() => setChallenge(undefined)} />
  )
}
