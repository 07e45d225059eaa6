import { describe, expect, it, vi } from 'vitest'

import { Disposables, toDisposable } from './disposables'

describe('Disposables', () => {
  it('disposes its members once, newest first', () => {
    const ended: string[] = []
    const held = new Disposables()
    held.add(toDisposable(() => ended.push('first')))
    held.add(toDisposable(() => ended.push('second')))
    held[Symbol.dispose]()
    held[Symbol.dispose]()
    expect(ended).toEqual(['second', 'first'])
  })

  it('disposes the rest if one throws, then throws its error', () => {
    const ended: string[] = []
    const held = new Disposables()
    held.add(toDisposable(() => ended.push('first')))
    held.add(
      toDisposable(() => {
        throw new Error('stuck')
      }),
    )
    expect(() => held[Symbol.dispose]()).toThrow('stuck')
    expect(ended).toEqual(['first'])
  })

  it('disposes members added after its own disposal', () => {
    const held = new Disposables()
    held[Symbol.dispose]()
    const dispose = vi.fn()
    held.add(toDisposable(dispose))
    expect(dispose).toHaveBeenCalledOnce()
    expect(held.disposed).toBe(true)
  })
})
