import { describe, expect, it, vi } from 'vitest'

import { Disposables, toDisposable } from './disposables'

describe('Disposables', () => {
  it('ends what it holds, newest first, once', () => {
    const ended: string[] = []
    const held = new Disposables()
    held.add(toDisposable(() => ended.push('first')))
    held.add(toDisposable(() => ended.push('second')))
    held[Symbol.dispose]()
    held[Symbol.dispose]()
    expect(ended).toEqual(['second', 'first'])
  })

  it('ends the rest when one throws, and throws that', () => {
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

  it('ends immediately what comes after its own end', () => {
    const held = new Disposables()
    held[Symbol.dispose]()
    const dispose = vi.fn()
    held.add(toDisposable(dispose))
    expect(dispose).toHaveBeenCalledOnce()
    expect(held.disposed).toBe(true)
  })
})
