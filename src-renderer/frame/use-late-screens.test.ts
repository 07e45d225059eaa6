import { afterEach, expect, it, vi } from 'vitest'

import { whenIdle } from './page-boundary'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('waits for an idle page also in a browser without idle callbacks', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', undefined)
  const idle = whenIdle()
  vi.runAllTimers()
  await expect(idle).resolves.toBeUndefined()
})
