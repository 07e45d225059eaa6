import { create } from 'zustand'

import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { showToast } from '../../ui/overlays/toast'

/** The server whose dialog is open. */
export const useOpenSignIn = create<{ readonly installationId?: string | undefined }>(() => ({}))

/** Opens the dialog for a sign-in; joins one that is in progress. */
export function openSignIn(installationId: string): void {
  useOpenSignIn.setState({ installationId })
}

/** Closes the dialog; a sign-in in progress continues. */
export function closeSignIn(): void {
  useOpenSignIn.setState({ installationId: undefined })
}

/** Cancels a sign-in, or clears the error of the last one. */
export function cancelSignIn(installationId: string): void {
  call('signIn.cancel', { installationId }).catch(showFailure)
}

/** Opens the authorization page in the system's browser. */
export function openSignInPage(installationId: string): void {
  call('signIn.open', { installationId }).catch(showFailure)
}

/** Deletes the tokens, stops the server and shows whether the tokens were also revoked. */
export function signOut(installationId: string): void {
  call('signIn.signOut', { installationId }).then(
    ({ revoked }) =>
      showToast({
        message: revoked
          ? 'Signed out. The server revoked the tokens.'
          : 'Signed out on this computer. The server didn’t revoke the tokens: revoke access in your account there.',
      }),
    showFailure,
  )
}
