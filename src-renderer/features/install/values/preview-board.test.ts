import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { newQueries } from '../../../ipc/queries'
import { LivePreviewQuery } from '../editing/use-install-form'

function previewOf(planHash: string): LaunchPreview {
  return {
    kind: 'command',
    command: 'npx',
    args: [],
    env: [],
    packageName: 'p',
    planHash,
    problems: [],
    warnings: [],
  }
}

function newBoard() {
  const asked: string[] = []
  type Answer = { resolve: (preview: LaunchPreview) => void; reject: (cause: Error) => void }
  const answers = new Map<string, Answer>()
  const board = new LivePreviewQuery(newQueries(), (question: string) => {
    asked.push(question)
    return new Promise<LaunchPreview>((resolve, reject) => {
      answers.set(question, { resolve, reject })
    })
  })
  const type = async (text: string, ms: number) => {
    board.request(() => text)
    await vi.advanceTimersByTimeAsync(ms)
  }
  return { board, asked, answers, type, shown: () => board.state.getState() }
}

describe('D3: live preview', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is requested immediately when the form opens, then debounced', async () => {
    const { asked, type } = newBoard()
    await type('', 0)
    expect(asked).toEqual([''])
    await type('a', 50)
    await type('ab', 50)
    expect(asked).toEqual([''])
    await type('abc', 200)
    expect(asked).toEqual(['', 'abc'])
  })

  it('is not requested twice for the same values', async () => {
    const { asked, type } = newBoard()
    await type('a', 200)
    await type('a', 200)
    expect(asked).toEqual(['a'])
  })

  it('ignores a late response', async () => {
    const { answers, type, shown } = newBoard()
    await type('a', 200)
    await type('b', 200)
    answers.get('b')?.resolve(previewOf('b'))
    await vi.advanceTimersByTimeAsync(1)
    answers.get('a')?.resolve(previewOf('a'))
    await vi.advanceTimersByTimeAsync(1)
    expect(shown().preview?.planHash).toBe('b')
  })

  it('stays while a newer one fails, and shows the error', async () => {
    const { answers, type, shown } = newBoard()
    await type('a', 200)
    answers.get('a')?.resolve(previewOf('a'))
    await type('b', 200)
    answers.get('b')?.reject(new AppError('INVALID_VALUES', 'No.'))
    await vi.advanceTimersByTimeAsync(1)
    expect(shown()).toMatchObject({ preview: { planHash: 'a' }, problem: { message: 'No.' } })
  })

  it('is fresh when acted upon, and earlier requests no longer count', async () => {
    const { board, answers, type, shown } = newBoard()
    await type('a', 200)
    const fresh = board.refresh('now')
    await vi.advanceTimersByTimeAsync(1)
    answers.get('now')?.resolve(previewOf('now'))
    expect((await fresh)?.planHash).toBe('now')
    answers.get('a')?.resolve(previewOf('a'))
    await vi.advanceTimersByTimeAsync(1)
    expect(shown().preview?.planHash).toBe('now')
  })

  it('is requested again when acted upon, even if the same one is shown or loading', async () => {
    const { board, asked, answers, type, shown } = newBoard()
    await type('a', 200)
    const late = answers.get('a')
    const fresh = board.refresh('a')
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toEqual(['a', 'a'])
    late?.resolve(previewOf('of before'))
    answers.get('a')?.resolve(previewOf('of now'))
    expect((await fresh)?.planHash).toBe('of now')
    const again = board.refresh('a')
    await vi.advanceTimersByTimeAsync(1)
    answers.get('a')?.reject(new AppError('INVALID_VALUES', 'No.'))
    await expect(again).rejects.toThrow('No.')
    // The caller reports the error; the last valid preview stays.
    expect(shown()).toMatchObject({ preview: { planHash: 'of now' }, problem: null })
  })

  it('is not shown if the input changed meanwhile', async () => {
    const { board, answers, type, shown } = newBoard()
    const fresh = board.refresh('a')
    await type('b', 200)
    answers.get('b')?.resolve(previewOf('b'))
    answers.get('a')?.resolve(previewOf('a'))
    expect((await fresh)?.planHash).toBe('a')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown().preview?.planHash).toBe('b')
  })
})
