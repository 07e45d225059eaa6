import { Copy } from 'lucide-react'
import {
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { SignInStep, TypedClient } from '../../../src-shared/domain/running/sign-in'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call, toErrorShape } from '../../ipc/call'
import { useApp, useNow, useServer } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Disclosure } from '../../ui/controls/disclosure'
import { Field, ProblemText, TextInput } from '../../ui/fields/field'
import { SecretInput } from '../../ui/fields/secret-input'
import { Facts } from '../../ui/layout/section'
import { Dialog } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { problemText } from '../../ui/text/format'
import { formPath } from '../status/status-messages'
import { cancelSignIn, closeSignIn, openSignInPage, useOpenSignIn } from './sign-in-actions'

type AskStep = Extract<SignInStep, { kind: 'ask' }>

/** Remaining time, in ms, after one of the 5 minutes of a sign-in has passed. */
const SOON_OVER_MS = 4 * 60_000

/** Opens the page: by the system on the desktop, in a new tab in the browser. */
function OpenPage({
  installationId,
  step,
}: {
  installationId: string
  step: AskStep
}): ReactElement {
  const isDesktop = useApp((state) => state.app?.info.wayIn === 'desktop')
  const label = <span className="truncate">{`Open ${step.host}`}</span>
  if (isDesktop)
    return (
      <Button size="form" variant="primary" onClick={() => openSignInPage(installationId)}>
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

function AskStepText(props: {
  readonly server: ServerView
  readonly step: AskStep
  readonly onScopes: (scopes: string) => void
}): ReactElement {
  const { server, step, onScopes } = props
  const { signIn } = server
  const now = useNow(5_000)
  const isLong = signIn?.kind === 'waiting' && signIn.until - now < SOON_OVER_MS
  const refused = signIn?.kind === 'waiting' ? signIn.rejectedCount : 0
  return (
    <div className="mt-4 grid gap-3">
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

function MoreScopes({ onScopes }: { readonly onScopes: (scopes: string) => void }): ReactElement {
  const id = useId()
  const [scopes, setScopes] = useState('')
  return (
    <div className="grid gap-2">
      <Disclosure label="More scopes" className="grid gap-2">
        <ScopesField id={id} value={scopes} onValueChange={setScopes} />
        <div>
          <Button size="small" onClick={() => onScopes(scopes)}>
            Ask for these scopes
          </Button>
        </div>
      </Disclosure>
    </div>
  )
}

function partsOf(
  state: SignInState,
  { server, formId, begin }: { server: ServerView; formId: string; begin: SignIn['begin'] },
  navigate: (to: string) => void,
): { readonly text: ReactNode; readonly button?: ReactNode } {
  const { installationId } = server
  const main = { size: 'form', variant: 'primary' } as const
  switch (state.kind) {
    case 'looking':
      return { text: <p role="status">Looking for the sign-in page.</p> }
    case 'ask':
      return {
        text: (
          <AskStepText
            server={server}
            step={state}
            onScopes={(scopes) => begin(undefined, scopes)}
          />
        ),
        button: <OpenPage installationId={installationId} step={state} />,
      }
    case 'clientNeeded':
      return {
        text: <ClientForm formId={formId} step={state} onTyped={begin} />,
        button: (
          <Button {...main} type="submit" form={formId}>
            Continue
          </Button>
        ),
      }
    case 'otherAddress':
      return {
        text: (
          <div className="mt-4 grid gap-3">
            <ProblemText>
              The sign-in information is for another address than the one that you use.
            </ProblemText>
            <Facts
              facts={{
                'Your address': <code>{state.expected}</code>,
                'Address of the server': <code>{state.named}</code>,
              }}
            />
            <p>
              If you trust it, use the server’s own address. You review the change before it is
              saved.
            </p>
          </div>
        ),
        button: (
          <Button
            {...main}
            onClick={() => {
              closeSignIn()
              navigate(`/servers/${installationId}/${formPath('url', [state.named])}`)
            }}
          >
            Use this address
          </Button>
        ),
      }
    case 'failed':
      return {
        text: (
          <ProblemText topic={state.error.code}>
            <span className="wrap-anywhere whitespace-pre-wrap">{problemText(state.error)}</span>
          </ProblemText>
        ),
        button: (
          <Button {...main} onClick={() => begin()}>
            Try again
          </Button>
        ),
      }
  }
}

function OpenDialog({ server }: { readonly server: ServerView }): ReactElement {
  const formId = useId()
  const [, navigate] = useLocation()
  const { state, begin: startSignIn } = useSignIn(server)
  const { text, button } = partsOf(state, { server, formId, begin: startSignIn }, navigate)
  const cancel = (): void => {
    cancelSignIn(server.installationId)
    closeSignIn()
  }
  return (
    <Dialog
      onClose={closeSignIn}
      title={`Sign in to ${server.name}`}
      actions={
        <>
          <Button size="form" onClick={cancel}>
            Cancel
          </Button>
          {button}
        </>
      }
    >
      {text}
    </Dialog>
  )
}

/** The sign-in that a user started, over any page. */
export function SignInDialog(): ReactElement | null {
  const { installationId = '' } = useOpenSignIn()
  const server = useServer(installationId)
  return server ? <OpenDialog key={server.installationId} server={server} /> : null
}

type SignInState =
  | { readonly kind: 'looking' }
  | SignInStep
  | {
      readonly kind: 'failed'
      readonly error: Partial<AppErrorShape> & Pick<AppErrorShape, 'message'>
    }

type SignIn = {
  readonly state: SignInState
  readonly begin: (client?: TypedClient, scopes?: string) => void
}

/** Starts or joins a sign-in on mount. The dialog closes when the sign-in ends, even in another window. */
function useSignIn({ installationId, signIn, signedIn, name }: ServerView): SignIn {
  const [state, setState] = useState<SignInState>({ kind: 'looking' })
  const wasRunning = useRef(false)
  const request = (client?: TypedClient, scopes?: string): void => {
    const more = { ...(client && { client }), ...(scopes !== undefined && { scopes }) }
    call('signIn.begin', { installationId, ...more }).then(setState, (thrown: unknown) =>
      setState({ kind: 'failed', error: toErrorShape(thrown) }),
    )
  }
  const begin = (client?: TypedClient, scopes?: string): void => {
    wasRunning.current = false
    setState({ kind: 'looking' })
    request(client, scopes)
  }
  const start = useEffectEvent(() => request())
  useEffect(() => start(), [])
  useEffect(() => {
    const isRunning = signIn !== undefined && signIn.kind !== 'failed'
    if (wasRunning.current && signIn === undefined) {
      if (signedIn === true) showToast({ message: `Signed in to ${name}.` })
      closeSignIn()
    }
    if (wasRunning.current && signIn?.kind === 'failed') setState({ kind: 'failed', error: signIn })
    wasRunning.current = isRunning
  }, [signIn, signedIn, name])
  return { state, begin }
}

/** The client that the user registered at a provider where Patchbay can't register. */
function ClientForm(props: {
  readonly formId: string
  readonly step: Extract<SignInStep, { kind: 'clientNeeded' }>
  readonly onTyped: (client: TypedClient, scopes: string | undefined) => void
}): ReactElement {
  const { formId, step, onTyped } = props
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const [redirectUrl, setRedirectUrl] = useState(step.redirectUrl)
  const [scopes, setScopes] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  function onSubmit(event: SyntheticEvent): void {
    event.preventDefault()
    event.stopPropagation()
    setIsMissing(clientId.trim() === '')
    if (clientId.trim() === '') return
    const client = {
      clientId,
      ...(clientSecret !== '' && { clientSecret }),
      ...(redirectUrl.trim() !== '' && { redirectUrl: redirectUrl.trim() }),
    }
    onTyped(client, scopes.trim() === '' ? undefined : scopes)
  }
  return (
    <form id={formId} className="mt-4 grid gap-3" noValidate onSubmit={onSubmit}>
      <p>
        Patchbay can’t register automatically at <b>{step.host}</b>. Register an app in your account
        there with this redirect URL, then enter its client ID.
        {step.takesDocument && ' You can also enter the URL of a client metadata document.'}
        {step.providerMessage !== undefined && ` ${step.providerMessage}`}
      </p>
      <Field
        id={`${formId}-redirect`}
        label="Redirect URL"
        hint="Change it to what your app is registered with. Empty: any free port of 127.0.0.1."
        below={
          <Button
            size="small"
            icon={Copy}
            onClick={() => copyText(redirectUrl, 'Redirect URL copied.')}
          >
            Copy redirect URL
          </Button>
        }
      >
        {(ids) => <TextInput {...ids} mono value={redirectUrl} onValueChange={setRedirectUrl} />}
      </Field>
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
      <ScopesField id={`${formId}-scopes`} value={scopes} onValueChange={setScopes} />
    </form>
  )
}

function ScopesField(props: {
  readonly id: string
  readonly value: string
  readonly onValueChange: (value: string) => void
}): ReactElement {
  const { id, value, onValueChange } = props
  return (
    <Field id={id} label="More scopes (optional)" hint="Separate several with a space.">
      {(ids) => <TextInput {...ids} mono value={value} onValueChange={onValueChange} />}
    </Field>
  )
}
