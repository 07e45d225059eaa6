import { Lock, LockOpen } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type ReactElement, useRef } from 'react'

import {
  hasSecret,
  openText,
  plainText,
} from '../../../../src-shared/domain/installation/custom-server'
import { secretText, type TextContext } from '../../../../src-shared/form/recognize-secrets'
import { IconButton } from '../../../ui/controls/button'
import { type ControlIds, GrowingInput } from '../../../ui/fields/field'
import { useAfterRelease } from '../../../ui/focus/use-after-release'
import { useFormModel } from '../fields/field-context'
import { type EditedSecret, SecretControl, SecretNotes } from '../fields/secret-control'
import type { EditedPiece, EditedText } from '../values/custom-server-controls'
import { focusControl } from '../values/form-controls'
import { hasQuery, losesSaved, toPlain, toSecret } from './secret-toggle'

type TextEditorProps = {
  readonly id: string
  /** Accessible name: "Argument 2", "Value of TOKEN". */
  readonly label: string
  /** Suggested name if the secret becomes a shared one. */
  readonly secretName: string
  readonly text: EditedText
  readonly onTextChange: (text: EditedText) => void
  readonly isBad: boolean
  readonly describedBy: string | undefined
  readonly place?: 'url' | 'value'
  /** Context by which a secret is recognized on blur. */
  readonly context: TextContext
  readonly placeholder?: string
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onPaste?: (event: ClipboardEvent) => void
}

/** A text with a lock: open, or with secret parts that are typed once and never shown again. */
export function TextEditor(props: TextEditorProps): ReactElement {
  const {
    id,
    label,
    secretName,
    text,
    onTextChange,
    isBad: isInvalid,
    describedBy,
    placeholder,
  } = props
  const { place = 'value', context, onKeyDown, onPaste } = props
  const shared = {
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid || undefined,
  } as const
  const firstSecret = text.findIndex(({ kind }) => kind !== 'text')
  const isTyped = useRef(false)
  const keepsOpen = useRef(false)
  const isSecret = hasSecret(text)
  const open = plainText(text, '')
  const canLock = isSecret || place === 'value' || hasQuery(open)
  function toggle(): void {
    keepsOpen.current = isSecret
    onTextChange(isSecret ? toPlain(text) : toSecret(open, place))
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  const recognize = useAfterRelease(() => {
    if (keepsOpen.current || isSecret || !isTyped.current) return
    isTyped.current = false
    const found = secretText(openText(open), context)
    if (hasSecret(found)) onTextChange(found)
  })
  return (
    <div
      className="flex min-w-0 flex-1 items-start gap-1"
      onBlur={({ currentTarget, relatedTarget }) => {
        // The lock button handles its own click.
        if (!currentTarget.contains(relatedTarget)) recognize()
      }}
      onKeyDown={isSecret ? undefined : onKeyDown}
      onPaste={onPaste}
    >
      {isSecret ? (
        <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2 gap-y-1">
          {text.map((piece, index) =>
            piece.kind === 'text' ? (
              <code key={index} className="flex min-h-7 items-center wrap-anywhere text-muted">
                {piece.text}
              </code>
            ) : (
              <SecretPiece
                key={index}
                ids={{ id: index === firstSecret ? id : `${id}-${index}`, ...shared }}
                {...{ label, secretName, piece }}
                onPieceChange={(next) => onTextChange(text.with(index, next))}
              />
            ),
          )}
        </div>
      ) : (
        <GrowingInput
          id={id}
          className="mono min-w-0 flex-1"
          aria-label={label}
          {...shared}
          placeholder={placeholder}
          value={open}
          onValueChange={(next) => {
            isTyped.current = true
            onTextChange(openText(next))
          }}
        />
      )}
      {canLock ? (
        <IconButton
          icon={isSecret ? Lock : LockOpen}
          label={lockLabel(text, label)}
          aria-pressed={isSecret}
          className="btn-field"
          onClick={toggle}
        />
      ) : null}
    </div>
  )
}

function lockLabel(text: EditedText, label: string): string {
  if (!hasSecret(text)) return `Store as secret: ${label}`
  return losesSaved(text)
    ? `Replace saved secret with plain text: ${label}`
    : `Show as plain text: ${label}`
}

type SecretPart = Exclude<EditedPiece, { kind: 'text' }>

/** Returns a secret part with its own value; undefined means the saved secret of the field, if any. */
function ownSecret(secret: string | undefined, fieldKey: string | undefined): SecretPart {
  if (fieldKey === undefined) return { kind: 'secret', secret: secret ?? '' }
  return secret === undefined ? { kind: 'saved', fieldKey } : { kind: 'secret', secret, fieldKey }
}

/** A secret part of a text: typed once and never shown again, or a shared secret. */
function SecretPiece(props: {
  readonly ids: ControlIds
  /** Accessible name of the text that contains the secret. */
  readonly label: string
  readonly secretName: string
  readonly piece: SecretPart
  readonly onPieceChange: (piece: SecretPart) => void
}): ReactElement {
  const { ids, label, secretName, piece, onPieceChange } = props
  const { savedLabel } = useFormModel()
  const { fieldKey } = piece
  const secret: EditedSecret = {
    label: secretName,
    typed: piece.kind === 'secret' ? piece.secret : undefined,
    chosen: piece.kind === 'stored' || piece.kind === 'environment' ? piece : null,
    onType: (next) => onPieceChange(ownSecret(next, fieldKey)),
    onChoose: (choice) => {
      if (choice === null) {
        onPieceChange(ownSecret(undefined, fieldKey))
        focusControl(ids.id)
      } else {
        const own = fieldKey === undefined ? {} : { fieldKey }
        onPieceChange({ ...choice, ...own })
      }
    },
  }
  return (
    <div className="min-w-0 flex-1 basis-44">
      <label className="sr-only" id={`${ids.id}-label`} htmlFor={ids.id}>
        {label}
      </label>
      <SecretControl
        {...{ ids, secret }}
        isCompact
        onBlur={() => undefined}
        savedText={fieldKey === undefined ? undefined : savedLabel}
        placeholder="Secret"
        required
      />
      <SecretNotes elementId={ids.id} secret={secret} />
    </div>
  )
}
