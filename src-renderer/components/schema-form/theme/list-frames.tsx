import type {
  ArrayFieldItemButtonsTemplateProps,
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  RJSFSchema,
} from '@rjsf/utils'
import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import type { ReactElement } from 'react'
import { use } from 'react'

import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { domId } from './field-frame'
import { FieldHint, FieldLabel, fieldLabel, FieldProblems } from './field-frame'
import { InKind } from './field-frame'

/** Whether a list of fixed entries lacks some of them. */
function hasRoom({ items }: RJSFSchema, count: number): boolean {
  return Array.isArray(items) && count < items.length
}

/** A list: its entries below each other, and a button for one more. */
export function ListFrame(props: ArrayFieldTemplateProps<unknown>): ReactElement {
  const {
    fieldPathId,
    schema,
    title,
    required = false,
    items,
    canAdd,
    onAddClick,
    rawErrors,
  } = props
  const { disabled = false, readonly = false, optionalDataControl } = props
  const isOfKind = use(InKind)
  const { $id: id, path } = fieldPathId
  const label = fieldLabel(title, path)
  return (
    <div className="field stack gap-1" role="group" aria-labelledby={`${domId(id)}-label`}>
      <FieldLabel
        id={id}
        label={label}
        name={path.at(-1)}
        isRequired={required && typeof path.at(-1) !== 'number'}
        isGroup
        isSaid={isOfKind}
      />
      <InKind value={false}>
        {items.length > 0 && <div className="stack gap-2">{items}</div>}
      </InKind>
      <FieldProblems id={id} problems={rawErrors} />
      <FieldHint id={id} schema={schema} />
      {(canAdd === true || hasRoom(schema, items.length)) && (
        <div>
          <Button
            id={`${domId(id)}-add`}
            size="small"
            icon={Plus}
            disabled={disabled || readonly}
            onClick={onAddClick}
            aria-label={`Add entry to ${label}`}
          >
            Add entry
          </Button>
        </div>
      )}
      {optionalDataControl}
    </div>
  )
}

/** An entry of a list with its buttons. */
export function EntryFrame({
  children,
  buttonsProps,
  hasToolbar,
}: ArrayFieldItemTemplateProps<unknown>): ReactElement {
  return (
    <div className="row at-top gap-1">
      <div className="grow">{children}</div>
      {hasToolbar && <EntryButtons {...buttonsProps} />}
    </div>
  )
}

/** Moves and removes an entry. */
export function EntryButtons(props: ArrayFieldItemButtonsTemplateProps<unknown>): ReactElement {
  const { index, hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem } =
    props
  const isStill = props.disabled === true || props.readonly === true
  const name = `entry ${index + 1}`
  return (
    <div className="flex fixed above-1">
      {(hasMoveUp || hasMoveDown) && (
        <>
          <IconButton
            small
            icon={ChevronUp}
            label={`Move ${name} up`}
            disabled={isStill || !hasMoveUp}
            onClick={onMoveUpItem}
          />
          <IconButton
            small
            icon={ChevronDown}
            label={`Move ${name} down`}
            disabled={isStill || !hasMoveDown}
            onClick={onMoveDownItem}
          />
        </>
      )}
      {hasRemove && (
        <IconButton
          small
          icon={X}
          label={`Remove ${name}`}
          disabled={isStill}
          onClick={onRemoveItem}
        />
      )}
    </div>
  )
}
