import { Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'

import { negotiateHttp } from '../connection/negotiate'
import { isBrokenLine } from './request-failure'

describe('B7 a connection that is gone', () => {
  it('is known by the question for the era that could not be sent any more', async () => {
    const line = {
      // The SDK asks servers over pipes otherwise than those over HTTP.
      ...{ stderr: null, pid: null },
      start: () => Promise.resolve(),
      send: () => Promise.reject(new SdkError(SdkErrorCode.SendFailed, 'Nobody reads it.')),
      close: () => Promise.resolve(),
    }
    const client = new Client({ name: 'test', version: '1' })
    const options = { limitMs: 5_000, timeoutMs: 5_000, era: undefined }
    const failure: unknown = await negotiateHttp(client, line, options).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(SdkError)
    expect(isBrokenLine(failure)).toBe(true)
  })

  it('is not what a server of no common era is', () => {
    const refused = new SdkError(SdkErrorCode.EraNegotiationFailed, 'No common version.')
    expect(isBrokenLine(refused)).toBe(false)
  })
})
