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

function newQuery() {
  const requests: string[] = []
  type Answer = { resolve: (preview: LaunchPreview) => void; reject: (cause: Error) => void }
  const answers = new Map<string, Answer>()
  const query = new LivePreviewQuery(newQueries(), (input: string) => {
    requests.push(input)
    return new Promise<LaunchPreview>((resolve, reject) => {
      answers.set(input, { resolve, reject })
    })
  })
  const type = async (text: string, ms: number) => {
    query.request(() => text)
    await vi.advanceTimersByTimeAsync(ms)
  }
  return { query, requests, answers, type, shown: () => query.state.getState() }
}

describe('D3: live preview', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is requested immediately when the form opens, then debounced', async () => {
    const { requests, type } = newQuery()
    await type('', 0)
    expect(requests).toEqual([''])
    await type('a', 50)
    await type('ab', 50)
    expect(requests).toEqual([''])
    await type('abc', 200)
    expect(requests).toEqual(['', 'abc'])
  })

  it('is not requested twice for the same values', async () => {
    const { requests, type } = newQuery()
    await type('a', 200)
    await type('a', 200)
    expect(requests).toEqual(['a'])
  })

  it('ignores a late response', async () => {
    const { answers, type, shown } = newQuery()
    await type('a', 200)
    await type('b', 200)
    answers.get('b')?.resolve(previewOf('b'))
    await vi.advanceTimersByTimeAsync(1)
    answers.get('a')?.resolve(previewOf('a'))
    await vi.advanceTimersByTimeAsync(1)
    expect(shown().preview?.planHash).toBe('b')
  })

  it('stays while a newer one fails, and shows the error', async () => {
    const { answers, type, shown } = newQuery()
    await type('a', 200)
    answers.get('a')?.resolve(previewOf('a'))
    await type('b', 200)
    answers.get('b')?.reject(new AppError('INVALID_VALUES', 'No.'))
    await vi.advanceTimersByTimeAsync(1)
    expect(shown()).toMatchObject({ preview: { planHash: 'a' }, problem: { message: 'No.' } })
  })

  it('is fresh when acted upon, and earlier requests no longer count', async () => {
    const { query, answers, type, shown } = newQuery()
    await type('a', 200)
    const fresh = query.refresh('now')
    await vi.advanceTimersByTimeAsync(1)
    answers.get('now')?.resolve(previewOf('now'))
    expect((await fresh)?.planHash).toBe('now')
    answers.get('a')?.resolve(previewOf('a'))
    await vi.advanceTimersByTimeAsync(1)
    expect(shown().preview?.planHash).toBe('now')
  })

  it('is requested again when acted upon, even if the same one is shown or loading', async () => {
    const { query, requests, answers, type, shown } = newQuery()
    await type('a', 200)
    const late = answers.get('a')
    const fresh = query.refresh('a')
    await vi.advanceTimersByTimeAsync(1)
    expect(requests).toEqual(['a', 'a'])
    late?.resolve(previewOf('of before'))
    answers.get('a')?.resolve(previewOf('of now'))
    expect((await fresh)?.planHash).toBe('of now')
    const again = query.refresh('a')
    await vi.advanceTimersByTimeAsync(1)
    answers.get('a')?.reject(new AppError('INVALID_VALUES', 'No.'))
    await expect(again).rejects.toThrow('No.')
    // The caller reports the error; the last valid preview stays.
    expect(shown()).toMatchObject({ preview: { planHash: 'of now' }, problem: null })
  })

  it('is not shown if the input changed meanwhile', async () => {
    const { query, answers, type, shown } = newQuery()
    const fresh = query.refresh('a')
    await type('b', 200)
    answers.get('b')?.resolve(previewOf('b'))
    answers.get('a')?.resolve(previewOf('a'))
    expect((await fresh)?.planHash).toBe('a')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown().preview?.planHash).toBe('b')
  })
})
