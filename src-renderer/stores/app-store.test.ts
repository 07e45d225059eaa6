import { beforeEach, expect, it } from 'vitest'

import { appStore, whenStateKnown } from './app-store'

beforeEach(() => appStore.setState(appStore.getInitialState(), true))

it.each([
  ['its state', { app: {} as never }],
  ['why that cannot be had', { problem: { code: 'INTERNAL' as const, message: 'No.' } }],
  ['that it does not answer', { connection: 'lost' as const }],
  ['that it takes no token', { connection: 'refused' as const }],
])("The window waits for main's first state: %s", async (_what, reported) => {
  const received: string[] = []
  const waiting = whenStateKnown().then(() => received.push('reported'))
  appStore.setState({ connection: 'connected' })
  await Promise.resolve()
  expect(received).toEqual([])
  appStore.setState(reported)
  await waiting
  await whenStateKnown()
})
