import { ProtocolError } from '@modelcontextprotocol/client'

import type { AppError } from '../../../src-shared/domain/app-error'
import type { OpenCall } from './elicitation/open-calls'
import { type ResultText, writtenResult } from './json/result-text'
import type { OwnRequests } from './messages/own-requests'
import { RequestDeadline, type RequestLimits } from './peer/request-deadline'
import {
  cancelledFailure,
  isBrokenLine,
  type Refusal,
  requestFailure,
} from './peer/request-failure'
import type { RequestOptions } from './send-request'

/** As `sendRequest`, beside the SDK's client; resolves to the text of the result as the server wrote it. */
export function sendTextRequest(
  requests: OwnRequests,
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: RequestOptions & RequestLimits & { readonly call: OpenCall },
): Promise<ResultText> {
  const { timeoutMs, signal } = options
  // One promise for all of it: every agent's call comes through here.
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw cancelledFailure(method)
    const end = (): void => {
      deadline[Symbol.dispose]()
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (error: unknown, written?: Refusal): void => {
      end()
      // As `sendRequest`, it rejects with the SDK's own error where the line is gone.
      reject(
        isBrokenLine(error) ? (error as Error) : requestFailure(method, timeoutMs, error, written),
      )
    }
    const giveUp = (failure: AppError): void => {
      requests.giveUp(id, failure.message)
      fail(failure)
    }
    const onAbort = (): void => giveUp(cancelledFailure(method))
    const deadline = new RequestDeadline(method, options, giveUp)
    options.call.deadline = deadline
    signal?.addEventListener('abort', onAbort, { once: true })
    const id = requests.ask(method, params, {
      onAnswer: ({ error, result, text, isNormalized }) => {
        try {
          if (error) throw ProtocolError.fromError(error.code, error.message, error.data)
          resolve(
            text && result ? { text, result, own: text, isNormalized } : writtenResult(result),
          )
          end()
        } catch (failure) {
          fail(failure, error)
        }
      },
      onProgress: (progress) => {
        deadline.progress()
        options.onProgress?.(progress)
      },
      onFailure: (error) => fail(error),
    })
  })
}
