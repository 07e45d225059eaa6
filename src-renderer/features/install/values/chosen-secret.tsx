import { KeyRound, Unlink } from 'lucide-react'
import type { ReactElement } from 'react'
import { Link } from 'wouter'

import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import { useRequest } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import type { ControlIds } from '../../../ui/fields/field'
import { WarnText } from '../../../ui/fields/warn-text'

/** The problem of a field whose stored secret was removed. */
export const NO_SECRET = 'Its stored secret is no longer there. Choose another one or type a value.'

/** Stands in for the input of a field that uses a stored secret. */
export function ChosenSecret(props: {
  readonly ids: ControlIds
  /** Undefined when it is no longer in the list. */
  readonly secret: StoredSecretView | undefined
  /** Goes back to a value of the field's own. */
  readonly onDrop: () => void
  /** In a line with other things, where the name needs the room. */
  readonly isCompact?: boolean
}): ReactElement {
  const { ids, secret, onDrop, isCompact = false } = props
  const label = `${ids.id}-label`
  return (
    <div
      className={ids['aria-invalid'] ? 'input is-saved is-invalid' : 'input is-saved'}
      id={ids.id}
      role="group"
      aria-labelledby={label}
      aria-describedby={ids['aria-describedby']}
      tabIndex={-1}
    >
      <KeyRound className="icon icon-s" aria-hidden />
      <span className="grow cut" role="status" title={secret?.name}>
        {secret === undefined ? (
          'A stored secret that was removed'
        ) : (
          <>
            <span className={isCompact ? 'sr' : undefined}>Stored secret </span>
            {secret.name}
          </>
        )}
      </span>
      {isCompact ? (
        <IconButton icon={Unlink} label="Do not use it" aria-describedby={label} onClick={onDrop} />
      ) : (
        <Button variant="quiet" size="small" aria-describedby={label} onClick={onDrop}>
          Do not use it
        </Button>
      )}
    </div>
  )
}

/** Warns of a stored secret whose value is not where secrets are kept now. */
export function EmptySecretNote({ secret }: { readonly secret: StoredSecretView }): ReactElement {
  const { secretId, changedAt } = secret
  const { loaded } = useRequest('secret.findEmpty', {}, { state: [changedAt] })
  const isEmpty = loaded.kind === 'ready' && loaded.value.includes(secretId)
  return (
    <WarnText>
      {isEmpty ? (
        <>
          It has no value here. Enter it again in{' '}
          <Link className="inline-link" href="/settings">
            Settings
          </Link>
          .
        </>
      ) : undefined}
    </WarnText>
  )
}
