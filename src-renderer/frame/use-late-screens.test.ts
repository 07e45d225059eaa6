import { afterEach, expect, it, vi } from 'vitest'

import { whenIdle } from './use-late-screens'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('runs what waits for an idle page also in a browser that cannot tell, unless it is called off', () => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', undefined)
  const ran: string[] = []
  whenIdle(() => ran.push('first'))
  whenIdle(() => ran.push('second'))()
  vi.runAllTimers()
  expect(ran).toEqual(['first'])
})
