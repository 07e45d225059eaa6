import { describe, expect, it, vi } from 'vitest'

import { Emitter } from './emitter'

describe('Emitter', () => {
  it('calls listeners in the order of their registration', () => {
    const emitter = new Emitter<number>()
    const received: string[] = []
    emitter.event((value) => received.push(`a${value}`))
    emitter.event((value) => received.push(`b${value}`))
    emitter.emit(1)
    expect(received).toEqual(['a1', 'b1'])
  })

  it('continues after a listener that throws, and logs the error', () => {
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const emitter = new Emitter<number>()
    const received: number[] = []
    emitter.event(() => {
      throw new Error('broken view')
    })
    emitter.event((value) => received.push(value))
    emitter.emit(1)
    expect(received).toEqual([1])
    expect(log).toHaveBeenCalledExactlyOnceWith('patchbay: a listener failed: broken view\n')
    log.mockRestore()
  })

  it('skips a disposed listener, even during an emit', () => {
    const emitter = new Emitter<number>()
    const received: number[] = []
    emitter.event(() => second[Symbol.dispose]())
    const second = emitter.event((value) => received.push(value))
    emitter.emit(1)
    expect(received).toEqual([])
  })

  it('keeps two registrations of one function apart', () => {
    const emitter = new Emitter<number>()
    const listener = vi.fn()
    const first = emitter.event(listener)
    emitter.event(listener)
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    emitter.emit(1)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('is silent once disposed', () => {
    const emitter = new Emitter<number>()
    const listener = vi.fn()
    emitter.event(listener)
    emitter[Symbol.dispose]()
    emitter.event(listener)
    emitter.emit(1)
    expect(listener).not.toHaveBeenCalled()
  })
})
