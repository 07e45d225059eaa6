import { useCallback, useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { SignInStep, TypedClient } from '../../../src-shared/domain/running/sign-in'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call, toErrorShape } from '../../ipc/call'
import { showToast } from '../../ui/overlays/toast'

/** Where the dialog of a sign-in is. */
export type SignInState =
  | { readonly kind: 'looking' }
  | SignInStep
  | {
      readonly kind: 'failed'
      readonly error: Partial<AppErrorShape> & Pick<AppErrorShape, 'message'>
    }

/** Begins a sign-in as soon as it is used, or joins it; `onOver` is called when it came to its end, also in another window. */
export function useSignIn(
  { installationId, signIn, signedIn, name }: ServerView,
  onOver: () => void,
): {
  readonly state: SignInState
  readonly begin: (client?: TypedClient, scopes?: string) => void
} {
  const [state, setState] = useState<SignInState>({ kind: 'looking' })
  const wasUnderWay = useRef(false)
  const begin = useCallback(
    (client?: TypedClient, scopes?: string) => {
      wasUnderWay.current = false
      setState({ kind: 'looking' })
      const more = { ...(client && { client }), ...(scopes !== undefined && { scopes }) }
      call('signIn.begin', { installationId, ...more }).then(setState, (thrown: unknown) =>
        setState({ kind: 'failed', error: toErrorShape(thrown) }),
      )
    },
    [installationId],
  )
  useEffect(() => begin(), [begin])
  useEffect(() => {
    const isUnderWay = signIn !== undefined && signIn.kind !== 'failed'
    if (wasUnderWay.current && signIn === undefined) {
      if (signedIn === true) showToast({ message: `Signed in to ${name}.` })
      onOver()
    }
    if (wasUnderWay.current && signIn?.kind === 'failed')
      setState({ kind: 'failed', error: signIn })
    wasUnderWay.current = isUnderWay
  }, [signIn, signedIn, name, onOver])
  return { state, begin }
}
