import { Copy } from 'lucide-react'
import type { ReactElement, SyntheticEvent } from 'react'
import { useState } from 'react'

import type { SignInStep, TypedClient } from '../../../src-shared/domain/running/sign-in'
import { Button } from '../../ui/controls/button'
import { Field } from '../../ui/fields/field'
import { SecretInput } from '../../ui/fields/secret-input'
import { TextInput } from '../../ui/fields/text-input'
import { copyText } from '../../ui/saving/copy-text'

type Needed = Extract<SignInStep, { kind: 'clientNeeded' }>

/** What the user registered at a provider where Patchbay can't register. */
export function ClientForm(props: {
  readonly formId: string
  readonly step: Needed
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
    <form id={formId} className="stack gap-3 above-4" noValidate onSubmit={onSubmit}>
      <p>
        Patchbay can’t register automatically at <b>{step.host}</b>. Register an app in your account
        there with this redirect URL, then enter its client ID.
        {step.takesDocument && ' You can also enter the URL of a client metadata document.'}
        {step.said !== undefined && ` ${step.said}`}
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

/** Scopes that are asked for beyond those that the server names. */
export function ScopesField(props: {
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
