import {
  type ArrayFieldItemButtonsTemplateProps,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  canExpand,
  deepEquals,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type OptionalDataControlsTemplateProps,
} from '@rjsf/utils'
import clsx from 'clsx'
import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import { type ReactElement, use, useState } from 'react'

import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { Button, IconButton } from '../../../ui/controls/button'
import { getOwn } from '../reading/json-text'
import {
  domId,
  FieldHint,
  FieldLabel,
  fieldLabel,
  FieldProblems,
  hasOnlyVariants,
  InVariant,
} from './field-frame'

function errorsOf(errorSchema: unknown): readonly string[] {
  const { __errors: errors } = (errorSchema ?? {}) as { readonly __errors?: readonly string[] }
  return errors ?? []
}

const MAX_INITIAL = 24

type MembersProps = ObjectFieldTemplateProps<unknown>

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isJsonObject(value) ? Object.values(value).some(isFilled) : value !== undefined
}

/** Whether a member has a value other than its default. */
function isSet({ schema, formData }: MembersProps, name: string): boolean {
  const value = getOwn(isJsonObject(formData) ? formData : {}, name)
  const described = getOwn(schema.properties ?? {}, name)
  return (
    isFilled(value) && !deepEquals(value, isJsonObject(described) ? described.default : undefined)
  )
}

/** Returns the members to draw: the first ones, and those with a problem or a value other than their default. */
function drawnMembers(props: MembersProps, isExpanded: boolean): MembersProps['properties'] {
  const { properties, errorSchema } = props
  if (isExpanded || properties.length <= MAX_INITIAL) return properties
  const faulty = new Set(Object.keys(errorSchema ?? {}))
  return properties.filter(
    ({ name }, index) => index < MAX_INITIAL || faulty.has(name) || isSet(props, name),
  )
}

/** Counts the hidden members with a value, which are sent nevertheless. */
function hiddenDefaults({ properties, formData }: MembersProps, drawn: readonly unknown[]): number {
  const values = isJsonObject(formData) ? formData : {}
  return properties.filter((one) => !drawn.includes(one) && isFilled(getOwn(values, one.name)))
    .length
}

function Members(props: MembersProps): ReactElement {
  const { properties, schema, uiSchema, formData, onAddProperty, disabled, readonly } = props
  const [isExpanded, setIsExpanded] = useState(false)
  const drawn = drawnMembers(props, isExpanded)
  const hiddenCount = properties.length - drawn.length
  const withDefault = hiddenCount > 0 ? hiddenDefaults(props, drawn) : 0
  return (
    <InVariant value={false}>
      {drawn.map(({ content }) => content)}
      {hiddenCount > 0 && (
        <div className="flex items-center gap-2">
          <Button size="small" onClick={() => setIsExpanded(true)}>
            {`Show ${hiddenCount} more`}
          </Button>
          {withDefault > 0 && (
            <span className="text-small text-muted">{`${withDefault} with defaults`}</span>
          )}
        </div>
      )}
      {canExpand(schema, uiSchema, formData) && (
        <div>
          <Button
            size="small"
            icon={Plus}
            disabled={disabled === true || readonly === true}
            onClick={onAddProperty}
          >
            Add member
          </Button>
        </div>
      )}
    </InVariant>
  )
}

/** Whether an optional object is absent, and whether it has only added members. */
function drawnParts(props: MembersProps): { readonly isAbsent: boolean; readonly isMap: boolean } {
  const formData: unknown = props.formData
  return {
    isAbsent: props.optionalDataControl !== undefined && formData === undefined,
    // An object without declared members appears with its first added one.
    isMap: Object.keys(props.schema.properties ?? {}).length === 0,
  }
}

function InnerObject(props: MembersProps): ReactElement {
  const { fieldPathId, schema, title, required = false, properties, errorSchema } = props
  const isOfKind = use(InVariant)
  const { $id: id, path } = fieldPathId
  const { isAbsent, isMap } = drawnParts(props)
  const canAdd: boolean = canExpand(schema, props.uiSchema, props.formData) === true
  const hasMembers = (properties.length > 0 || canAdd) && (isMap || !isAbsent)
  const control = isMap && isAbsent ? undefined : props.optionalDataControl
  return (
    <div className="field grid gap-1" role="group" aria-labelledby={`${domId(id)}-label`}>
      <FieldLabel {...{ id, path, required }} label={title} isGroup isSaid={isOfKind} />
      <FieldHint id={id} schema={schema} />
      <FieldProblems id={id} problems={errorsOf(errorSchema)} />
      {hasMembers && (
        <div
          className={clsx(
            'grid min-w-0 gap-4',
            !isOfKind && !isAbsent && 'border-s-2 border-line-strong ps-3',
          )}
        >
          <Members {...props} />
        </div>
      )}
      {control !== undefined && <div>{control}</div>}
    </div>
  )
}

/** An object with its members; the members of a nested one are indented under its label. */
export function ObjectFrame(props: ObjectFieldTemplateProps<unknown>): ReactElement | null {
  const { fieldPathId, schema, optionalDataControl, errorSchema } = props
  const { $id: id, path } = fieldPathId
  if (path.length === 0)
    return (
      <div className="grid min-w-0 gap-4">
        <FieldProblems id={id} problems={errorsOf(errorSchema)} />
        <Members {...props} />
      </div>
    )
  if (!hasOnlyVariants(schema)) return <InnerObject {...props} />
  // The button that leaves a present object out is below the fields of its variant.
  return drawnParts(props).isAbsent ? <div>{optionalDataControl}</div> : null
}

/** The button that adds or removes an optional object. */
export function OptionalControls(props: OptionalDataControlsTemplateProps<unknown>): ReactElement {
  const { id, onAddClick, onRemoveClick } = props
  return onRemoveClick === undefined ? (
    <Button id={domId(id)} size="small" icon={Plus} onClick={onAddClick}>
      Fill in
    </Button>
  ) : (
    <Button id={domId(id)} size="small" variant="quiet" icon={X} onClick={onRemoveClick}>
      Leave out
    </Button>
  )
}

/** The choice between variants, and the fields of the chosen one. */
export function VariantsFrame({
  selector,
  optionSchemaField,
}: MultiSchemaFieldTemplateProps<unknown>): ReactElement | null {
  // An absent object has a button above that fills it in.
  if ((selector as ReactElement | undefined) === undefined) return null
  return (
    <div className="grid gap-2">
      {selector}
      {optionSchemaField !== null && (
        <div className="grid min-w-0 gap-4 border-s-2 border-line-strong ps-3">
          <InVariant value>{optionSchemaField}</InVariant>
        </div>
      )}
    </div>
  )
}

/** A list with its entries and a button that adds one. */
export function ListFrame(props: ArrayFieldTemplateProps<unknown>): ReactElement {
  const { fieldPathId, schema, title, required = false, items, rawErrors } = props
  const isOfKind = use(InVariant)
  const { $id: id, path } = fieldPathId
  const label = fieldLabel(title, path)
  const lacksFixed = Array.isArray(schema.items) && items.length < schema.items.length
  return (
    <div className="field grid gap-1" role="group" aria-labelledby={`${domId(id)}-label`}>
      <FieldLabel {...{ id, path, required }} label={title} isGroup isSaid={isOfKind} />
      <InVariant value={false}>
        {items.length > 0 && <div className="grid gap-2">{items}</div>}
      </InVariant>
      <FieldProblems id={id} problems={rawErrors} />
      <FieldHint id={id} schema={schema} />
      {(props.canAdd === true || lacksFixed) && (
        <div>
          <Button
            id={`${domId(id)}-add`}
            size="small"
            icon={Plus}
            disabled={props.disabled === true || props.readonly === true}
            onClick={props.onAddClick}
            aria-label={`Add entry to ${label}`}
          >
            Add entry
          </Button>
        </div>
      )}
      {props.optionalDataControl}
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
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">{children}</div>
      {hasToolbar && <EntryButtons {...buttonsProps} />}
    </div>
  )
}

/** The buttons that move and remove an entry. */
export function EntryButtons(props: ArrayFieldItemButtonsTemplateProps<unknown>): ReactElement {
  const { index, hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem } =
    props
  const isFixed = props.disabled === true || props.readonly === true
  const name = `entry ${index + 1}`
  return (
    <div className="mt-1 flex flex-none">
      {(hasMoveUp || hasMoveDown) && (
        <>
          <IconButton
            small
            icon={ChevronUp}
            label={`Move ${name} up`}
            disabled={isFixed || !hasMoveUp}
            onClick={onMoveUpItem}
          />
          <IconButton
            small
            icon={ChevronDown}
            label={`Move ${name} down`}
            disabled={isFixed || !hasMoveDown}
            onClick={onMoveDownItem}
          />
        </>
      )}
      {hasRemove && (
        <IconButton
          small
          icon={X}
          label={`Remove ${name}`}
          disabled={isFixed}
          onClick={onRemoveItem}
        />
      )}
    </div>
  )
}
