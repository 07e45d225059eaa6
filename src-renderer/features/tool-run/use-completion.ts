import { useEffect, useState } from 'react'

import type { CompletionRequest } from '../../../src-shared/domain/agents/tool-run'
import { call, toErrorShape } from '../../ipc/call'

/** What the arguments belong to, and its server. */
export type Completed = {
  readonly installationId: string
  readonly reference: CompletionRequest['ref']
}

/** What a server offers for an argument. */
export type Offer = {
  /** What it is for: the argument and all that is filled in, as text. */
  readonly of: string
  readonly values: readonly string[]
  /** How many there are, as the server says. */
  readonly total: number | undefined
  /** Why there is none. */
  readonly problem: string | undefined
}

/** How long one may go on typing before the server is asked, in ms. */
const REST_MS = 200
const NO_OFFER: Offer = { of: '', values: [], total: undefined, problem: undefined }

/** Asks a server what completes an argument, a while after the last change and while it is wanted; late answers are dropped. */
export function useCompletion(
  { installationId, reference }: Completed,
  name: string,
  values: Readonly<Record<string, string>>,
  isWanted: boolean,
): Offer {
  const [offer, setOffer] = useState(NO_OFFER)
  const { [name]: value = '', ...others } = values
  const filled = Object.fromEntries(Object.entries(others).filter(([, one]) => one !== ''))
  const request: CompletionRequest = {
    ref: reference,
    argument: { name, value },
    ...(Object.keys(filled).length > 0 && { context: { arguments: filled } }),
  }
  const of = JSON.stringify(request)
  useEffect(() => {
    if (!isWanted) return undefined
    let isOver = false
    const timer = setTimeout(() => {
      call('toolRun.complete', {
        installationId,
        request: JSON.parse(of) as CompletionRequest,
      }).then(
        ({ values: found, total }) => {
          if (!isOver) setOffer({ of, values: found, total, problem: undefined })
        },
        (thrown: unknown) => {
          if (!isOver) setOffer({ ...NO_OFFER, of, problem: toErrorShape(thrown).message })
        },
      )
    }, REST_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [installationId, of, isWanted])
  useEffect(() => () => setOffer(NO_OFFER), [isWanted])
  // While one types on, the offer of before stays until there is another one, so that the list does not flicker.
  const isOfBefore = isWanted && offer.values.length > 0 && offer.of !== of
  return offer.of === of || isOfBefore ? offer : NO_OFFER
}
