import type { ReactElement } from 'react'

import type { ControlIds } from '../../../ui/fields/field'
import { choiceOf, placeOfChoice } from '../fields/secret-choice'
import { type EditedSecret, SecretControl, SecretNotes } from '../fields/secret-control'
import { focusControl } from '../values/field-places'
import type { EditedPiece } from '../values/hand-parts'

/** A part of a text that is secret. */
type SecretPart = Exclude<EditedPiece, { kind: 'text' }>

/** A secret of its own; undefined is the saved one of its field, where it has one. */
function ownSecret(secret: string | undefined, fieldKey: string | undefined): SecretPart {
  if (fieldKey === undefined) return { kind: 'secret', secret: secret ?? '' }
  return secret === undefined ? { kind: 'saved', fieldKey } : { kind: 'secret', secret, fieldKey }
}

/** A secret part of a text: typed once and never shown again, or that of a stored secret. */
export function SecretPiece(props: {
  readonly ids: ControlIds
  /** Spoken name of the text that it is in. */
  readonly label: string
  /** What it would be called as a stored secret. */
  readonly secretName: string
  readonly piece: SecretPart
  readonly onPieceChange: (piece: SecretPart) => void
  /** Says where a saved secret is. */
  readonly savedText: string
}): ReactElement {
  const { ids, label, secretName, piece, onPieceChange, savedText } = props
  const { fieldKey } = piece
  const secret: EditedSecret = {
    label: secretName,
    typed: piece.kind === 'secret' ? piece.secret : undefined,
    chosen: piece.kind === 'stored' || piece.kind === 'environment' ? choiceOf(piece) : null,
    onType: (next) => onPieceChange(ownSecret(next, fieldKey)),
    onChoose: (choice) => {
      if (choice === null) {
        onPieceChange(ownSecret(undefined, fieldKey))
        requestAnimationFrame(() => focusControl(ids.id, { scroll: false }))
      } else {
        const own = fieldKey === undefined ? {} : { fieldKey }
        onPieceChange({ ...placeOfChoice(choice), ...own })
      }
    },
  }
  return (
    <div className="piece-secret slim">
      <label className="sr" id={`${ids.id}-label`} htmlFor={ids.id}>
        {label}
      </label>
      <SecretControl
        {...{ ids, secret }}
        isCompact
        onBlur={() => undefined}
        savedText={fieldKey === undefined ? undefined : savedText}
        placeholder="Secret"
        required
      />
      <SecretNotes elementId={ids.id} secret={secret} />
    </div>
  )
}
