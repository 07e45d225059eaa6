import type { ReactElement, ReactNode } from 'react'
import { useId, useState } from 'react'
import { useLocation } from 'wouter'

import type { SignInStep } from '../../../src-shared/domain/running/sign-in'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useApp, useServer } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { Button } from '../../ui/controls/button'
import { DisclosureButton } from '../../ui/controls/disclosure'
import { ProblemText } from '../../ui/fields/problem-text'
import { Dialog } from '../../ui/overlays/dialog'
import { problemWords } from '../../ui/text/problem-messages'
import { ClientForm, ScopesField } from './client-form'
import { cancelSignIn, closeSignIn, openSignInPage, useOpenSignIn } from './sign-in-actions'
import { addressPlace } from './suggested-button'
import { type SignInState, useSignIn } from './use-sign-in'

type Ask = Extract<SignInStep, { kind: 'ask' }>
type OtherAddress = Extract<SignInStep, { kind: 'otherAddress' }>

/** A sign-in waits 5 minutes; with so much left of them, a minute is over. */
const SOON_OVER_MS = 4 * 60_000

/** Opens the page: by the system on the desktop, in a new tab where this is a page itself. */
function OpenPage({ installationId, step }: { installationId: string; step: Ask }): ReactElement {
  const isDesktop = useApp((state) => state.app?.info.wayIn === 'desktop')
  const label = <span className="cut">{`Open ${step.host}`}</span>
  if (isDesktop)
    return (
      <Button size="form" variant="primary" onClick={() => void openSignInPage(installationId)}>
        {label}
      </Button>
    )
  return (
    <a
      className="btn btn-primary btn-field"
      href={step.address}
      target="_blank"
      rel="noopener noreferrer"
    >
      {label}
    </a>
  )
}

function AskText(props: {
  readonly server: ServerView
  readonly step: Ask
  readonly onScopes: (scopes: string) => void
}): ReactElement {
  const { server, step, onScopes } = props
  const { signIn } = server
  const now = useNow(5_000)
  const isLong = signIn?.kind === 'waiting' && signIn.until - now < SOON_OVER_MS
  const refused = signIn?.kind === 'waiting' ? signIn.refused : 0
  return (
    <div className="stack gap-3 above-4">
      <p>
        Sign in at <b>{step.host}</b> in your browser. Continue only if you recognize this site.
      </p>
      <p role="status">
        {signIn?.kind === 'finishing'
          ? 'Finishing sign-in.'
          : 'Waiting for you to sign in. Times out after 5 minutes.'}
      </p>
      {isLong && (
        <p role="status">Still waiting? The provider may have refused. Its page says why.</p>
      )}
      {refused > 0 && (
        <ProblemText>
          Rejected an answer that doesn’t belong to this sign-in. Open the page again.
        </ProblemText>
      )}
      <MoreScopes onScopes={onScopes} />
    </div>
  )
}

function OtherAddressText({ step }: { readonly step: OtherAddress }): ReactElement {
  return (
    <div className="stack gap-3 above-4">
      <ProblemText>
        The sign-in information is for another address than the one that you use.
      </ProblemText>
      <dl className="facts">
        <dt>Your address</dt>
        <dd className="mono break">{step.expected}</dd>
        <dt>Address of the server</dt>
        <dd className="mono break">{step.named}</dd>
      </dl>
      <p>
        If you trust it, use the server’s own address. You review the change before it is saved.
      </p>
    </div>
  )
}

/** Begins the sign-in again with scopes that the server doesn't name. */
function MoreScopes({ onScopes }: { readonly onScopes: (scopes: string) => void }): ReactElement {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [scopes, setScopes] = useState('')
  return (
    <div className="stack gap-2">
      <DisclosureButton label="More scopes" open={isOpen} controls={id} onOpenChange={setIsOpen} />
      <div id={id} hidden={!isOpen} className="stack gap-2">
        <ScopesField id={`${id}-field`} value={scopes} onValueChange={setScopes} />
        <div>
          <Button size="small" onClick={() => onScopes(scopes)}>
            Ask for these scopes
          </Button>
        </div>
      </div>
    </div>
  )
}

function textOf(
  state: SignInState,
  server: ServerView,
  { form, onScopes }: { readonly form: ReactNode; readonly onScopes: (scopes: string) => void },
): ReactNode {
  switch (state.kind) {
    case 'looking':
      return <p role="status">Looking for the sign-in page.</p>
    case 'ask':
      return <AskText server={server} step={state} onScopes={onScopes} />
    case 'clientNeeded':
      return form
    case 'otherAddress':
      return <OtherAddressText step={state} />
    case 'failed':
      return (
        <ProblemText topic={state.error.code}>
          <span className="keep-lines break">{problemWords(state.error)}</span>
        </ProblemText>
      )
  }
}

function MainButton(props: {
  readonly state: SignInState
  readonly installationId: string
  readonly formId: string
  readonly onAgain: () => void
}): ReactElement | null {
  const { state, installationId, formId, onAgain } = props
  const [, navigate] = useLocation()
  switch (state.kind) {
    case 'looking':
      return null
    case 'ask':
      return <OpenPage installationId={installationId} step={state} />
    case 'otherAddress':
      return (
        <Button
          size="form"
          variant="primary"
          onClick={() => {
            closeSignIn()
            navigate(addressPlace(installationId, state.named))
          }}
        >
          Use this address
        </Button>
      )
    case 'clientNeeded':
      return (
        <Button size="form" variant="primary" type="submit" form={formId}>
          Continue
        </Button>
      )
    case 'failed':
      return (
        <Button size="form" variant="primary" onClick={onAgain}>
          Try again
        </Button>
      )
  }
}

function OpenDialog({ server }: { readonly server: ServerView }): ReactElement {
  const formId = useId()
  const { installationId, name } = server
  const { state, begin } = useSignIn(server, closeSignIn)
  const cancel = (): void => {
    void cancelSignIn(installationId)
    closeSignIn()
  }
  const form = state.kind === 'clientNeeded' && (
    <ClientForm formId={formId} step={state} onTyped={begin} />
  )
  return (
    <Dialog
      onClose={closeSignIn}
      title={`Sign in to ${name}`}
      actions={
        <>
          <Button size="form" onClick={cancel}>
            Cancel
          </Button>
          <MainButton
            state={state}
            installationId={installationId}
            formId={formId}
            onAgain={() => begin()}
          />
        </>
      }
    >
      {textOf(state, server, { form, onScopes: (scopes) => begin(undefined, scopes) })}
    </Dialog>
  )
}

/** The sign-in that a user asked for, over whatever page they are on. */
export function SignInDialog(): ReactElement | null {
  const installationId = useOpenSignIn()
  const server = useServer(installationId ?? '')
  return server ? <OpenDialog key={server.installationId} server={server} /> : null
}
