import { z } from 'zod'

// The page's policy forbids making code from text, and zod would try as soon as the first contract is loaded.
z.config({ jitless: true })
