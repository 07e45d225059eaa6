import type { ReactElement, SyntheticEvent } from 'react'
import { useId, useState } from 'react'

import { call, toErrorShape } from '../../../ipc/call'
import { Button } from '../../../ui/controls/button'
import { Field } from '../../../ui/fields/field'
import { ProblemText } from '../../../ui/fields/problem-text'
import { SecretInput } from '../../../ui/fields/secret-input'
import { TextInput } from '../../../ui/fields/text-input'
import { Dialog } from '../../../ui/overlays/dialog'
import { typedRegistryUrl } from '../setting/setting-rules'

type Problems = { readonly address?: string; readonly other?: string }

type AddState = {
  readonly address: string
  readonly token: string
  readonly problems: Problems
  readonly isBusy: boolean
  readonly type: (change: { address?: string; token?: string }) => void
  readonly submit: (event: SyntheticEvent) => void
}

function useAddRegistry(id: string, onClose: () => void): AddState {
  const [typed, setTyped] = useState({ address: '', token: '' })
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setIsBusy] = useState(false)

  async function add(): Promise<void> {
    const { address, token } = typed
    const read = typedRegistryUrl(address)
    const baseUrl = 'change' in read ? read.change.registryUrl : undefined
    if (baseUrl === undefined) {
      setProblems({ address: 'Enter an address that starts with https:// or http://.' })
      document.getElementById(`${id}-address`)?.focus()
      return
    }
    setIsBusy(true)
    try {
      await call('catalog.addSource', {
        baseUrl,
        ...(token.trim() !== '' && { token: token.trim() }),
      })
      onClose()
    } catch (thrown) {
      const { message, hint } = toErrorShape(thrown)
      setProblems({ other: [message, hint].filter(Boolean).join(' ') })
      setIsBusy(false)
    }
  }
  return {
    ...{ ...typed, problems, isBusy },
    type: (change) => setTyped((before) => ({ ...before, ...change })),
    submit: (event) => {
      event.preventDefault()
      if (!isBusy) void add()
    },
  }
}

function Fields(props: {
  readonly id: string
  readonly state: AddState
  readonly isInMemory: boolean
}): ReactElement {
  const { id, state, isInMemory } = props
  const { address, token, problems, type } = state
  return (
    <>
      <Field
        id={`${id}-address`}
        label="Address"
        hint="Without /v0.1 at its end."
        problem={problems.address}
      >
        {(ids) => (
          <TextInput
            {...ids}
            mono
            inputMode="url"
            aria-required
            value={address}
            onValueChange={(next) => type({ address: next })}
          />
        )}
      </Field>
      <Field
        id={`${id}-token`}
        label="Token"
        hint={`Only where the registry asks for one. It is kept in ${isInMemory ? 'memory for this run' : 'the keychain'} and sent to this address alone.`}
      >
        {(ids) => (
          <SecretInput
            ids={ids}
            value={token}
            onValueChange={(next) => type({ token: next ?? '' })}
            onBlur={() => undefined}
            savedText={undefined}
            required={false}
          />
        )}
      </Field>
      {problems.other !== undefined && <ProblemText>{problems.other}</ProblemText>}
    </>
  )
}

/** Asks for the address of one more registry, and for its token where it wants one. */
export function AddRegistryDialog({
  isInMemory,
  onClose,
}: {
  /** Secrets are kept in memory: there is no keychain. */
  readonly isInMemory: boolean
  readonly onClose: () => void
}): ReactElement {
  const id = useId()
  const state = useAddRegistry(id, onClose)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add a registry"
      description="What it lists is shown beside the others. Whoever runs it decides what is in it."
      actions={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={id} busy={state.isBusy}>
            Add
          </Button>
        </>
      }
    >
      <form id={id} className="stack gap-3 above-4" noValidate onSubmit={state.submit}>
        <Fields {...{ id, state, isInMemory }} />
      </form>
    </Dialog>
  )
}
