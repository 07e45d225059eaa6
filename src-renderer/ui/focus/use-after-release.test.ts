import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

it('runs a task that waits for the end of a press once, also if the press is canceled', async () => {
  const window = new EventTarget()
  vi.stubGlobal('window', window)
  const { afterRelease } = await import('./use-after-release')
  const ran: string[] = []
  afterRelease(() => ran.push('immediately'))
  window.dispatchEvent(new Event('pointerdown'))
  afterRelease(() => ran.push('canceled'))
  expect(ran).toEqual(['immediately'])
  window.dispatchEvent(new Event('pointercancel'))
  window.dispatchEvent(new Event('pointerup'))
  expect(ran).toEqual(['immediately', 'canceled'])
})
