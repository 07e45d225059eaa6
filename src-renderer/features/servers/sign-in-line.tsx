import type { JSX } from 'react'

import type { SignInView } from '../../../src-shared/domain/running/sign-in'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { askSignIn, cancelSignIn } from '../../components/server/sign-in-actions'
import { SuggestedButton } from '../../components/server/suggested-button'
import { Button } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'
import { offersSignIn } from '../../ui/text/status-messages'
import { SIGN_IN } from '../../ui/text/suggested-action'

type Shown = { readonly installationId: string; readonly signIn: SignInView }

/** A sign-in that is under way, in whichever window it was begun, how the last one failed, or that one is needed. */
export function SignInLine({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { signIn, installationId } = server
  if (signIn !== undefined)
    return (
      <div className="page-line fixed">
        <SignInBanner installationId={installationId} signIn={signIn} />
      </div>
    )
  return offersSignIn(server) ? (
    <div className="page-line fixed">
      <Banner
        severity="warn"
        title={server.signInOffer?.message}
        action={<SuggestedButton server={server} action={SIGN_IN} variant="primary" />}
      >
        {server.signInOffer?.hint}
      </Banner>
    </div>
  ) : null
}

function SignInBanner({ installationId, signIn }: Shown): JSX.Element {
  const cancel = (): void => void cancelSignIn(installationId)
  switch (signIn.kind) {
    case 'waiting':
      return (
        <Banner
          severity="info"
          title="Signing in."
          action={
            <>
              <Button size="small" onClick={() => askSignIn(installationId)}>
                Continue
              </Button>
              <Button size="small" onClick={cancel}>
                Cancel sign-in
              </Button>
            </>
          }
        >
          {`Waiting for ${signIn.host}.`}
        </Banner>
      )
    case 'finishing':
      return (
        <Banner severity="info" title="Signing in.">
          {`${signIn.host} answered. Finishing sign-in.`}
        </Banner>
      )
    case 'failed':
      return (
        <Banner severity="error" title={signIn.message} onDismiss={cancel}>
          <span className="keep-lines">{signIn.hint}</span>
        </Banner>
      )
  }
}
