import { setImmediate } from 'node:timers/promises'

import { expect, it } from 'vitest'

import type { LogFound } from '../../../src-shared/domain/running/log-query'
import type { Bridge } from '../../../src-shared/ipc/contract'
import { setLine } from '../../ipc/call'
import { logFinder } from './use-log-find'

it('D4: a late response of an earlier search does not change the current match', async () => {
  const request: { readonly from: number; readonly answer: (row: number) => Promise<void> }[] = []
  const find = ({ from }: { from: number }): Promise<unknown> =>
    new Promise((resolve) => {
      const answer = async (row: number): Promise<void> => {
        resolve({ ok: true, value: { count: 9, current: { row }, isDone: true } })
        await setImmediate()
      }
      request.push({ from, answer })
    })
  setLine({ requests: { 'log.find': find } } as unknown as Bridge)
  let shown: LogFound | null = null
  const finderOf = (text: string): ReturnType<typeof logFinder> =>
    logFinder(
      {
        query: { servers: [], level: 'debug' },
        search: { text, isRegex: false, isCaseSensitive: false },
      },
      () => 1,
      (change) => (shown = change({ found: shown, problem: null, shows: 0 }).found),
    )
  const first = finderOf('old')
  first.step('next')
  first.stop()
  const second = finderOf('new')
  await request[2]?.answer(20)
  await request[1]?.answer(900)
  expect(shown).toMatchObject({ current: { row: 20 } })
  second.step('next')
  expect(request.map(({ from }) => from)).toEqual([1, 1, 1, 20])
})
