import { defineFeature } from '#platform/feature.ts'
import { login } from './contract.ts'
import { loginRoutes } from './routes.ts'

export const feature = defineFeature({
  name: 'login',
  group: 'Panel login',
  uses: ['admins'],
  contract: login,
  routes: loginRoutes,
})
