import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { showToast } from '../../ui/overlays/toast'

const asked = createStore<{ readonly installationId: string | undefined }>(() => ({
  installationId: undefined,
}))

/** Opens the dialog that leads a user through a sign-in; one that is under way is joined. */
export function askSignIn(installationId: string): void {
  asked.setState({ installationId })
}

/** Puts the dialog away; a sign-in that is under way goes on. */
export function closeSignIn(): void {
  asked.setState({ installationId: undefined })
}

/** The server whose dialog is open. */
export function useOpenSignIn(): string | undefined {
  return useStore(asked, ({ installationId }) => installationId)
}

/** Gives a sign-in up, or forgets how the last one failed. */
export async function cancelSignIn(installationId: string): Promise<void> {
  await told(() => call('signIn.cancel', { installationId }))
}

/** Opens the authorization page in the system's browser. */
export async function openSignInPage(installationId: string): Promise<void> {
  await told(() => call('signIn.open', { installationId }))
}

/** Forgets the tokens, stops the server, and tells whether they were taken back as well. */
export async function signOut(installationId: string): Promise<void> {
  await told(async () => {
    const { revoked } = await call('signIn.signOut', { installationId })
    showToast({
      message: revoked
        ? 'Signed out. The server revoked the tokens.'
        : 'Signed out on this computer. The server didn’t revoke the tokens: revoke access in your account there.',
    })
  })
}

async function told(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    tellFailure(thrown)
  }
}
