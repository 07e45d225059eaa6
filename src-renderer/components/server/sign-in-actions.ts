import { create } from 'zustand'

import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { showToast } from '../../ui/overlays/toast'

/** The server whose dialog is open. */
export const useOpenSignIn = create<{ readonly installationId?: string | undefined }>(() => ({}))

/** Opens the dialog that leads a user through a sign-in; one that is under way is joined. */
export function askSignIn(installationId: string): void {
  useOpenSignIn.setState({ installationId })
}

/** Puts the dialog away; a sign-in that is under way goes on. */
export function closeSignIn(): void {
  useOpenSignIn.setState({ installationId: undefined })
}

/** Gives a sign-in up, or forgets how the last one failed. */
export function cancelSignIn(installationId: string): void {
  call('signIn.cancel', { installationId }).catch(showFailure)
}

/** Opens the authorization page in the system's browser. */
export function openSignInPage(installationId: string): void {
  call('signIn.open', { installationId }).catch(showFailure)
}

/** Forgets the tokens, stops the server, and tells whether they were taken back as well. */
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
