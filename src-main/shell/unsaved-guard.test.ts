import { EventEmitter } from 'node:events'

import type { BrowserWindow } from 'electron'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { UnsavedGuard } from './unsaved-guard'

const questions = vi.hoisted(() => ({ count: 0, response: 0 }))

vi.mock('electron', () => ({
  dialog: {
    showMessageBox: () => {
      questions.count += 1
      return Promise.resolve({ response: questions.response })
    },
  },
}))

/** A window whose page has unsaved text, and whose reload doesn't come. */
class HeldWindow extends EventEmitter {
  readonly webContents = Object.assign(new EventEmitter(), { reload: vi.fn() })
  readonly close = vi.fn()
  readonly isDestroyed = () => false
  readonly isMinimized = () => false
  readonly show = () => undefined
  readonly focus = () => undefined

  /** Whether the page may be left without a question, as for a reload. */
  async leave(): Promise<boolean> {
    const preventDefault = vi.fn()
    this.webContents.emit('will-prevent-unload', { preventDefault })
    await vi.advanceTimersByTimeAsync(0)
    return preventDefault.mock.calls.length > 0
  }
}

describe('D3: unsaved text', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    Object.assign(questions, { count: 0, response: 0 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is asked about again if the user left but the page is still there', async () => {
    const window = new HeldWindow()
    new UnsavedGuard(window as unknown as BrowserWindow)
    expect(await window.leave()).toBe(false)
    expect(window.webContents.reload).toHaveBeenCalledOnce()
    expect(await window.leave()).toBe(true)
    expect(questions.count).toBe(1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await window.leave()).toBe(false)
    expect(questions.count).toBe(2)
  })

  it('is asked about again after a reload', async () => {
    const window = new HeldWindow()
    new UnsavedGuard(window as unknown as BrowserWindow)
    await window.leave()
    window.webContents.emit('did-finish-load')
    expect(await window.leave()).toBe(false)
    expect(questions.count).toBe(2)
  })
})
