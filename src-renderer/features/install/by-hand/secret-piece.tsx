import type { ReactElement } from 'react'

import { SecretDoubtsNote } from '../../../secret-parts/secret-doubts-note'
import { useApp } from '../../../stores/app-store'
import type { ControlIds } from '../../../ui/fields/field'
import { SecretInput } from '../../../ui/fields/secret-input'
import { ShareFoot } from '../fields/share-foot'
import { ChosenSecret, EmptySecretNote } from '../values/chosen-secret'
import { focusControl } from '../values/field-places'
import type { EditedPiece } from '../values/hand-parts'

/** A part of a text that is secret. */
type EditedSecret = Exclude<EditedPiece, { kind: 'text' }>

type SecretPieceProps = {
  readonly ids: ControlIds
  /** Spoken name of the text that it is in. */
  readonly label: string
  /** What it would be called as a stored secret. */
  readonly secretName: string
  readonly piece: EditedSecret
  readonly onPieceChange: (piece: EditedSecret) => void
  /** Says where a saved secret is. */
  readonly savedText: string
}

/** A secret of its own; undefined is the saved one of its field, where it has one. */
function ownSecret(secret: string | undefined, fieldKey: string | undefined): EditedSecret {
  if (fieldKey === undefined) return { kind: 'secret', secret: secret ?? '' }
  return secret === undefined ? { kind: 'saved', fieldKey } : { kind: 'secret', secret, fieldKey }
}

function SecretControl({ ids, piece, onPieceChange, savedText }: SecretPieceProps): ReactElement {
  const { fieldKey } = piece
  const secretId = piece.kind === 'shared' ? piece.secretId : undefined
  const stored = useApp((state) =>
    state.app?.secrets.stored.find((one) => one.secretId === secretId),
  )
  if (piece.kind === 'shared')
    return (
      <>
        <ChosenSecret
          ids={{ ...ids, 'aria-invalid': ids['aria-invalid'] ?? (stored ? undefined : true) }}
          secret={stored}
          isCompact
          onDrop={() => {
            onPieceChange(ownSecret(undefined, fieldKey))
            requestAnimationFrame(() => focusControl(ids.id, { scroll: false }))
          }}
        />
        {stored ? <EmptySecretNote secret={stored} /> : null}
      </>
    )
  return (
    <SecretInput
      ids={ids}
      value={piece.kind === 'secret' ? piece.secret : undefined}
      onValueChange={(next) => onPieceChange(ownSecret(next, fieldKey))}
      onBlur={() => undefined}
      savedText={fieldKey === undefined ? undefined : savedText}
      placeholder="Secret"
      required
    />
  )
}

/** A secret part of a text: typed once and never shown again, or that of a stored secret. */
export function SecretPiece(props: SecretPieceProps): ReactElement {
  const { ids, label, secretName, piece, onPieceChange } = props
  const typed = piece.kind === 'secret' ? piece.secret : ''
  return (
    <div className="piece-secret slim">
      <label className="sr" id={`${ids.id}-label`} htmlFor={ids.id}>
        {label}
      </label>
      <SecretControl {...props} />
      <SecretDoubtsNote text={typed} />
      <ShareFoot
        elementId={ids.id}
        label={secretName}
        typed={typed}
        chosen={piece.kind === 'shared' ? piece.secretId : null}
        onChoose={(secretId) =>
          onPieceChange({
            kind: 'shared',
            secretId,
            ...(piece.fieldKey !== undefined && { fieldKey: piece.fieldKey }),
          })
        }
      />
    </div>
  )
}
