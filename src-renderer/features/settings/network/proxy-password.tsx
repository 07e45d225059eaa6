import { LockKeyhole } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'

import type { NetworkView } from '../../../../src-shared/domain/state/network-view'
import { SecretDialog } from '../../../components/secret/secret-dialog'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/tell-failure'
import { Button } from '../../../ui/controls/button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'

type PasswordState = NetworkView['password']

const TROUBLE: Readonly<Partial<Record<PasswordState, string>>> = {
  other: 'The password belongs to another address or user name. Enter it again.',
  lost: 'The password is missing from the keychain. Enter it again.',
  unread: 'Can’t read the password. Unlock the keychain, then refresh.',
}

function wordsOf(state: PasswordState | undefined, isInMemory: boolean): string {
  if (state === undefined) return 'Checking.'
  if (state === 'none') return 'Not set.'
  return isInMemory ? 'Saved in memory.' : 'Saved in keychain.'
}

function Dialogs(props: {
  readonly asking: 'value' | 'removal' | null
  readonly isKept: boolean
  readonly proxyUrl: string
  readonly isInMemory: boolean
  readonly onDone: () => void
  readonly onClose: () => void
}): ReactElement | null {
  const { asking, isKept, proxyUrl, isInMemory, onDone, onClose } = props
  if (asking === 'value')
    return (
      <SecretDialog
        title={isKept ? 'Replace password' : 'Add password'}
        description={`Saved in ${isInMemory ? 'memory until you quit' : 'the keychain'}. Sent only to ${proxyUrl === '' ? 'the proxy' : proxyUrl}.`}
        withValue
        valueLabel="Password"
        confirmLabel={isKept ? 'Replace password' : 'Add password'}
        onConfirm={async ({ value }) => {
          await call('network.setPassword', { password: value })
          onDone()
        }}
        onClose={onClose}
      />
    )
  if (asking === null) return null
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Remove proxy password?"
      description="Connections fail if the proxy requires the password."
      confirmLabel="Remove password"
      onConfirm={() => attempt(call('network.setPassword', { password: null }).then(onDone))}
      focusAfterId="proxy-password"
    />
  )
}

/** The password of the proxy: whether there is one, never which. */
export function ProxyPassword({
  state,
  proxyUrl,
  isInMemory,
  onChange,
}: {
  readonly state: PasswordState | undefined
  readonly proxyUrl: string
  /** Secrets are kept in memory: there is no keychain. */
  readonly isInMemory: boolean
  readonly onChange: () => void
}): ReactElement {
  const [asking, setAsking] = useState<'value' | 'removal' | null>(null)
  const isKept = state !== undefined && state !== 'none'
  const trouble = state && TROUBLE[state]
  return (
    <div className="field stack gap-1">
      <div className="label flex at-base gap-2 slim medium">
        <span>Password</span>
      </div>
      <div className="row wrap gap-4 rows-2">
        <span className="row gap-1">
          <LockKeyhole className="icon icon-s" aria-hidden />
          {trouble === undefined && wordsOf(state, isInMemory)}
          {trouble !== undefined && <ProblemText alert={false}>{trouble}</ProblemText>}
        </span>
        <Button id="proxy-password" size="small" onClick={() => setAsking('value')}>
          {isKept ? 'Replace password' : 'Add password'}
        </Button>
        {isKept && (
          <Button size="small" variant="quiet" onClick={() => setAsking('removal')}>
            Remove password
          </Button>
        )}
      </div>
      <Dialogs
        {...{ asking, isKept, proxyUrl, isInMemory }}
        onDone={onChange}
        onClose={() => setAsking(null)}
      />
    </div>
  )
}
