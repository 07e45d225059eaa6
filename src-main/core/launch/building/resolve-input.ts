import {
  type ArgumentOrigin,
  SECRET_MASK,
} from '../../../../src-shared/domain/installation/launch-plan'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { Argument, KeyValueInput } from '../../../../src-shared/domain/server-json/server-json'
import { fillTemplate } from '../../../../src-shared/domain/server-json/template'
import type { FieldTarget, FormField } from '../../../../src-shared/form/form-field'
import { isBlank } from '../../../../src-shared/form/form-schema'
import { humanize } from '../../../../src-shared/form/humanize'
import { isFixed, templateVariables } from '../../../../src-shared/form/input-template'
import { splitSecretList } from '../../../../src-shared/form/secret-list'
import { isSetEmpty } from '../../../../src-shared/form/set-empty'
import { defaultEntries } from '../../../../src-shared/form/split-several'
import type { LaunchText } from '../plan/launch-plan'

/** The user's form for one offer. */
export type FilledForm = {
  /** Fields by their target and their shared name. */
  readonly fields: ReadonlyMap<string, FormField>
  readonly values: FieldValues
  readonly secrets: ReadonlyMap<string, string>
}

/**
 * Combines a form with the user's values. `secrets` holds the texts of secret fields by key, and of plain fields that read a variable of
 * this computer. The latter are hidden like secrets, because the user approves the variable, not its value.
 */
export function filledForm(
  fields: readonly FormField[],
  values: FieldValues,
  secrets: ReadonlyMap<string, string>,
): FilledForm {
  const shown = fields.map((field) =>
    secrets.has(field.key) && !field.secret ? { ...field, secret: true } : field,
  )
  const byKey = shown.flatMap((field) => [
    [valueKey(field.target), field] as const,
    ...(field.sharedAs === undefined
      ? []
      : [[valueKey(field.target, field.sharedAs), field] as const]),
  ])
  return { fields: new Map(byKey), values, secrets }
}

type FilledField = {
  readonly field: FormField
  readonly kind: 'you' | 'default' | 'keychain'
  readonly entries: readonly string[]
  /** Whether the variable is set to an empty value. */
  readonly isSetEmpty?: boolean
}
/** A template variable: the user's answer, or the entry's fixed text. */
type Filling = FilledField | string

/**
 * Returns the texts of one input: none if empty, several if repeated. Values are inserted once and never parsed, so a brace in a value is
 * just a brace.
 */
export function resolveInput(
  input: Argument | KeyValueInput,
  target: FieldTarget,
  form: FilledForm,
): LaunchText[] {
  const fillings = fillingsOf(input, target, form)
  if (fillings.size > 0) return fillRows(input.value ?? '', fillings, input)
  if (isFixed(input)) return [fixedText(input.value ?? '', input)]
  const filled = filledFieldOf(target, form)
  if (filled === undefined) return []
  if (!filled.isSetEmpty) return fillRows('{value}', new Map([['value', filled]]), input)
  const { field } = filled
  return [{ ...fixedText('', input), secret: field.secret, origin: originOf(filled) }]
}

function fillingsOf(
  input: Argument | KeyValueInput,
  target: FieldTarget,
  form: FilledForm,
): Map<string, Filling> {
  return new Map(
    templateVariables(input).map(({ name, variable }) => [
      name,
      isFixed(variable)
        ? (variable.value ?? '')
        : (fillingOf({ ...target, variable: name }, form, variable.sharedAs) ?? ''),
    ]),
  )
}

/** Separates list entries that are joined to one text. */
export const LIST_SEPARATOR = ','

/** An argument can be repeated per list entry; an environment variable is a single text. */
function fillingOf(
  target: FieldTarget,
  form: FilledForm,
  sharedAs?: string,
): FilledField | undefined {
  const filled = filledFieldOf(target, form, sharedAs)
  const isText = target.place === 'environmentVariables' || target.place === 'headers'
  if (filled === undefined || !isText || filled.entries.length < 2) return filled
  const text = filled.entries.filter((entry) => !isBlank(entry)).join(LIST_SEPARATOR)
  return { ...filled, entries: [text] }
}

/** Returns one text per row of the lists; a single entry is repeated in every row. */
function fillRows(
  template: string,
  fillings: ReadonlyMap<string, Filling>,
  input: Argument | KeyValueInput,
): LaunchText[] {
  const filledFields = [...fillings.values()].filter((filling) => typeof filling !== 'string')
  if (filledFields.length === 0) return [fillRow(template, fillings, 0, input)]
  const rows = Math.max(1, ...filledFields.map(({ entries }) => entries.length))
  return Array.from({ length: rows }, (_, row) => row)
    .filter((row) => isRow(filledFields, row))
    .map((row, index, allRows) =>
      fillRow(template, fillings, row, input, allRows.length > 1 ? index + 1 : undefined),
    )
}

/**
 * Lists decide which rows exist. Without lists, a template is omitted if a variable is empty and the user has filled in none. Defaults
 * alone would pass half a value.
 */
function isRow(fields: readonly FilledField[], row: number): boolean {
  const lists = fields.filter(({ entries }) => entries.length > 1)
  if (lists.length > 0) return lists.some((answer) => !isBlank(entryAt(answer, row)))
  const filled = fields.filter((answer) => !isEmpty(answer, entryAt(answer, row)))
  return filled.length === fields.length || filled.some(({ kind }) => kind !== 'default')
}

function fillRow(
  template: string,
  fillings: ReadonlyMap<string, Filling>,
  row: number,
  input: Argument | KeyValueInput,
  number?: number,
): LaunchText {
  const fill = (show: (answer: FilledField, entry: string) => string): string =>
    fillTemplate(template, (name) => {
      const filling = fillings.get(name)
      if (filling === undefined || typeof filling === 'string') return filling
      return show(filling, entryAt(filling, row))
    })
  const filledFields = [...fillings.values()]
    .filter((filling) => typeof filling !== 'string')
    .filter((answer) => !isEmpty(answer, entryAt(answer, row)))
  const order = ['keychain', 'you', 'default']
  const leading = filledFields.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))[0]
  return {
    value: fill((_, entry) => entry),
    shown: fill(shownEntry),
    fingerprint: fill(fingerprintOf),
    secret: filledFields.some(({ field }) => field.secret),
    origin: leading === undefined ? fixedOrigin(input) : originOf(leading, number),
  }
}

function filledFieldOf(
  target: FieldTarget,
  form: FilledForm,
  sharedAs?: string,
): FilledField | undefined {
  const field = form.fields.get(valueKey(target, sharedAs))
  if (field === undefined) return undefined
  const typed = Object.hasOwn(form.values, field.key) ? form.values[field.key] : undefined
  if (typed !== undefined) {
    const entries = typeof typed === 'string' ? [typed] : typed
    return {
      ...{ field, kind: 'you', isSetEmpty: isSetEmpty(field, typed) },
      entries: entries.map((entry) => (field.format === 'number' ? entry.trim() : entry)),
    }
  }
  const secret = field.secret ? form.secrets.get(field.key) : undefined
  if (secret !== undefined) {
    const entries = field.repeated ? splitSecretList(secret) : [secret]
    return { field, kind: 'keychain', entries }
  }
  return { field, kind: 'default', entries: defaultEntries(field) }
}

/** Key of a value; a shared value has the same key in every place. */
function valueKey({ place, index, variable }: FieldTarget, sharedAs?: string): string {
  return JSON.stringify(sharedAs === undefined ? [place, index, variable] : [sharedAs])
}

function entryAt({ entries }: FilledField, row: number): string {
  return (entries.length === 1 ? entries[0] : entries[row]) ?? ''
}

/** Spaces count as a value only for an argument of plain text, such as a delimiter. */
function isEmpty({ field, entries }: FilledField, entry: string): boolean {
  if (!isBlank(entry)) return false
  const isText = field.control === 'text' && !field.repeated && entries.length === 1
  const isArgument = ['runtimeArguments', 'packageArguments'].includes(field.target.place)
  return entry === '' || !isText || !isArgument
}

function shownEntry({ field }: FilledField, entry: string): string {
  return field.secret && !isBlank(entry) ? SECRET_MASK : entry
}

function fingerprintOf({ field }: FilledField, entry: string): string {
  return field.secret && !isBlank(entry) ? `{${field.key}}` : entry
}

function originOf({ field, kind }: FilledField, number?: number): ArgumentOrigin {
  const label = number === undefined ? field.label : `${field.label} ${number}`
  return { kind, label, fieldKey: field.key }
}

function fixedText(value: string, input: Argument | KeyValueInput): LaunchText {
  return { value, shown: value, fingerprint: value, secret: false, origin: fixedOrigin(input) }
}

function fixedOrigin(input: Argument | KeyValueInput): ArgumentOrigin {
  const name = 'type' in input && input.type === 'positional' ? input.valueHint : input.name
  return { kind: 'fixed', label: humanize(name ?? '') || 'Fixed by the entry' }
}
