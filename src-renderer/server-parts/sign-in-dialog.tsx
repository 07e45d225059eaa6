import type { ReactElement, ReactNode, SyntheticEvent } from 'react'
import { useId, useState } from 'react'

import type { SignInStep, TypedClient } from '../../src-shared/domain/running/sign-in'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { useApp, useServer } from '../stores/app-store'
import { Button } from '../ui/controls/button'
import { Field } from '../ui/fields/field'
import { ProblemText } from '../ui/fields/problem-text'
import { SecretInput } from '../ui/fields/secret-input'
import { TextInput } from '../ui/fields/text-input'
import { Dialog } from '../ui/overlays/dialog'
import { problemWords } from '../ui/text/problem-messages'
import { cancelSignIn, closeSignIn, openSignInPage, useAskedSignIn } from './sign-in-actions'
import { type SignInState, useSignIn } from './use-sign-in'

type Ask = Extract<SignInStep, { kind: 'ask' }>
type Needed = Extract<SignInStep, { kind: 'clientNeeded' }>

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

function AskText({ server, step }: { server: ServerView; step: Ask }): ReactElement {
  const { signIn } = server
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
      {refused > 0 && (
        <ProblemText>
          Rejected an answer that doesn’t belong to this sign-in. Open the page again.
        </ProblemText>
      )}
    </div>
  )
}

function ClientForm(props: {
  readonly formId: string
  readonly step: Needed
  readonly onTyped: (client: TypedClient) => void
}): ReactElement {
  const { formId, step, onTyped } = props
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  function onSubmit(event: SyntheticEvent): void {
    event.preventDefault()
    event.stopPropagation()
    setIsMissing(clientId.trim() === '')
    if (clientId.trim() !== '') onTyped({ clientId, ...(clientSecret !== '' && { clientSecret }) })
  }
  return (
    <form id={formId} className="stack gap-3 above-4" noValidate onSubmit={onSubmit}>
      <p>
        Patchbay can’t register automatically at <b>{step.host}</b>. Register an app in your account
        there with the redirect URL <code>{step.redirectUrl}</code> and any port.
        {step.takesDocument && ' You can also enter the URL of a client metadata document.'}
        {step.said !== undefined && ` ${step.said}`}
      </p>
      <Field
        id={`${formId}-id`}
        label="Client ID"
        problem={isMissing ? 'Enter the client ID.' : undefined}
      >
        {(ids) => (
          <TextInput {...ids} aria-required mono value={clientId} onValueChange={setClientId} />
        )}
      </Field>
      <Field id={`${formId}-secret`} label="Client secret (optional)">
        {(ids) => (
          <SecretInput
            ids={ids}
            value={clientSecret}
            onValueChange={(next) => setClientSecret(next ?? '')}
            required={false}
          />
        )}
      </Field>
    </form>
  )
}

function textOf(state: SignInState, server: ServerView, form: ReactNode): ReactNode {
  switch (state.kind) {
    case 'looking':
      return <p role="status">Looking for the sign-in page.</p>
    case 'ask':
      return <AskText server={server} step={state} />
    case 'clientNeeded':
      return form
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
  switch (state.kind) {
    case 'looking':
      return null
    case 'ask':
      return <OpenPage installationId={installationId} step={state} />
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
      {textOf(state, server, form)}
    </Dialog>
  )
}

/** The sign-in that a person asked for, over whatever page they are on. */
export function SignInDialog(): ReactElement | null {
  const installationId = useAskedSignIn()
  const server = useServer(installationId ?? '')
  return server ? <OpenDialog key={server.installationId} server={server} /> : null
}
